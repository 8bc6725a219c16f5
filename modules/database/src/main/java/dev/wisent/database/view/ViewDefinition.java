package dev.wisent.database.view;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.query.collation.Collation;

/**
 * A view as it is written down.
 *
 * @param on the collection or view that it reads
 * @param pipeline an array
 * @param collation null for the simple one
 */
public record ViewDefinition(
    Namespace namespace, Namespace on, RawDocument pipeline, Collation collation) {
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

  static ViewDefinition decode(RawDocument stored) {
    Namespace namespace = Namespace.parse(stored.get("_id").asString());
    return new ViewDefinition(
        namespace,
        new Namespace(namespace.database(), stored.get("viewOn").asString()),
        stored.get("pipeline").asDocument(),
        Collation.ofOptions(stored));
  }
}
