package dev.wisent.database.view;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.Collation;
import java.util.Set;

/**
 * A view as it is written down.
 *
 * @param on the collection or view that it reads
 * @param pipeline an array
 * @param collation null for the simple one
 */
public record ViewDefinition(
    Namespace namespace, Namespace on, RawDocument pipeline, Collation collation) {
  private static final Set<String> FIELDS = Set.of("_id", "viewOn", "pipeline", "collation");

  public ViewDefinition {
    pipeline = pipeline.detached();
  }

  /** The same over something else. */
  public ViewDefinition with(Namespace changedOn, RawDocument changedPipeline) {
    return new ViewDefinition(namespace, changedOn, changedPipeline, collation);
  }

  /** As {@code listCollections} shows it. */
  public RawDocument options() {
    return appendOptions(new BsonBuilder()).toDocument();
  }

  RawDocument encode() {
    return appendOptions(new BsonBuilder().appendString("_id", namespace.full())).toDocument();
  }

  private BsonBuilder appendOptions(BsonBuilder out) {
    out.appendString("viewOn", on.collection()).appendArray("pipeline", pipeline);
    if (collation != null) {
      out.appendDocument("collation", collation.document());
    }
    return out;
  }

  /**
   * Null for a document that is no definition of a view of this database. The command {@code
   * applyOps} can write such a document.
   */
  static ViewDefinition decode(RawDocument stored, String database) {
    RawValue id = stored.get("_id");
    RawValue on = stored.get("viewOn");
    RawValue pipeline = stored.get("pipeline");
    boolean valid =
        id.isString()
            && on != null
            && on.isString()
            && pipeline != null
            && pipeline.isArray()
            && hasOnlyKnownFields(stored)
            && hasOnlyDocuments(pipeline);
    if (!valid) {
      return null;
    }
    Namespace namespace = Namespace.parse(id.asString());
    if (!namespace.database().equals(database)
        || !Namespace.isValid(database, namespace.collection())
        || !Namespace.isValid(database, on.asString())) {
      return null;
    }
    try {
      return new ViewDefinition(
          namespace,
          new Namespace(database, on.asString()),
          pipeline.asDocument(),
          Collation.ofOptions(stored));
    } catch (CommandException invalidCollation) {
      return null;
    }
  }

  private static boolean hasOnlyKnownFields(RawDocument stored) {
    ElementCursor fields = stored.elements();
    while (fields.next()) {
      if (!FIELDS.contains(fields.name())) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasOnlyDocuments(RawValue pipeline) {
    ElementCursor stages = pipeline.elements();
    while (stages.next()) {
      if (stages.type() != ElementType.DOCUMENT) {
        return false;
      }
    }
    return true;
  }
}
