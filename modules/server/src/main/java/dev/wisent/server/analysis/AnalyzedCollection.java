package dev.wisent.server.analysis;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.UUID;

/**
 * A collection or view, as far as an analysis asks.
 *
 * @param uuid null for a view
 * @param indexes as {@code listIndexes} shows them
 * @param hasRecordIds whether the record ids of its documents tell the order of their insertion
 */
public record AnalyzedCollection(UUID uuid, List<RawDocument> indexes, boolean hasRecordIds) {
  public AnalyzedCollection {
    indexes = List.copyOf(indexes);
  }

  boolean isView() {
    return uuid == null;
  }

  /**
   * The index whose first fields are those of a shard key; null if there is none. Whether they are
   * hashed does not matter: values are counted, not places.
   */
  RawDocument indexOf(ShardKeyPattern key) {
    RawDocument found = null;
    for (RawDocument index : indexes) {
      if (hasAllDocuments(index) && beginsWith(index, key)) {
        found = found == null || isOrdered(index, key) ? index : found;
      }
    }
    return found;
  }

  private static boolean hasAllDocuments(RawDocument index) {
    RawValue sparse = index.get("sparse");
    return (sparse == null || !sparse.isTruthy())
        && index.get("partialFilterExpression") == null
        && index.get("collation") == null;
  }

  private static boolean beginsWith(RawDocument index, ShardKeyPattern key) {
    ElementCursor fields = index.get("key").elements();
    for (ElementCursor own = key.pattern().elements(); own.next(); ) {
      if (!fields.next()
          || !fields.name().equals(own.name())
          || !(fields.value().isNumber() || fields.value().asString().equals("hashed"))) {
        return false;
      }
    }
    return true;
  }

  /** Whether an index that begins with a key has its values in ascending order. */
  static boolean isOrdered(RawDocument index, ShardKeyPattern key) {
    ElementCursor fields = index.get("key").elements();
    for (int i = 0; i < key.fields().size() && fields.next(); i++) {
      if (!fields.value().isNumber() || fields.value().toDouble() <= 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether an index that begins with a key says that no two documents have the same. */
  static boolean isUnique(RawDocument index, ShardKeyPattern key) {
    RawDocument fields = index.get("key").asDocument();
    RawValue unique = index.get("unique");
    boolean isOfId = fields.fieldCount() == 1 && fields.get("_id") != null;
    return fields.fieldCount() == key.fields().size()
        && (isOfId || (unique != null && unique.isTruthy()));
  }
}
