package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.query.collation.Collation;
import java.util.Set;

/**
 * The collation that a new index gets: the one that it names, or that of the collection. Stored
 * specifications have it whole, or not at all where it is the simple one.
 */
final class IndexCollation {
  private static final String OPTION = "collation";
  private static final int VERSION_WITH_COLLATION = 2;

  /** Kinds of keys that are not about the order of strings, or have one of their own. */
  private static final Set<String> KINDS_WITHOUT = Set.of("text", "2d");

  private IndexCollation() {}

  /** The specification as it is stored, from one as it was asked for. */
  static RawDocument resolve(RawDocument spec, CollectionDefinition collection) {
    Collation ofCollection = Collation.ofOptions(collection.options());
    boolean inherits = spec.get(OPTION) == null && spec.get("v").toLong() >= VERSION_WITH_COLLATION;
    Collation collation = inherits ? ofCollection : Collation.ofOptions(spec);
    if (new IndexDefinition(0, spec).isId() && !Collation.same(collation, ofCollection)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The _id index must have the same collation as the collection. Index collation: "
              + text(collation)
              + ", collection collation: "
              + text(ofCollection));
    }
    if (collation == null) {
      return spec.without(Set.of(OPTION));
    }
    checkKind(spec, collation);
    return new BsonBuilder()
        .appendAll(spec.without(Set.of(OPTION)))
        .appendDocument(OPTION, collation.document())
        .toDocument();
  }

  private static String text(Collation collation) {
    return collation == null ? "{ locale: \"simple\" }" : ValueText.of(collation.document());
  }

  private static void checkKind(RawDocument spec, Collation collation) {
    ElementCursor fields = spec.get("key").elements();
    while (fields.next()) {
      RawValue kind = fields.value();
      if (kind.isString() && KINDS_WITHOUT.contains(kind.asString())) {
        throw new CommandException(
            ErrorCode.CANNOT_CREATE_INDEX,
            "Index type '"
                + kind.asString()
                + "' does not support collation: "
                + ValueText.of(collation.document()));
      }
    }
  }
}
