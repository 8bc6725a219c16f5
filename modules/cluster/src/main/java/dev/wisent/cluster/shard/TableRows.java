package dev.wisent.cluster.shard;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Arrivals;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedRanges;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The documents of the tables of this shard. */
final class TableRows {
  private final Operations documents;

  TableRows(Operations documents) {
    this.documents = documents;
  }

  /**
   * The row of a collection.
   *
   * @param before null where this shard did not know it
   */
  RawDocument document(
      OperationContext operation, OwnedRanges before, OwnedRanges owned, RawDocument collation) {
    boolean known = before != null && before.version().isSameCollection(owned.version());
    RawDocument row = known ? row(operation, owned.namespace()) : null;
    RawValue without = row == null ? null : row.get(Arrivals.WITHOUT_RANGES);
    RawDocument fields = document(owned, collation);
    return (known ? without != null : owned.ranges().isEmpty())
        ? DocumentFields.with(fields, Arrivals.WITHOUT_RANGES, RawValue.TRUE)
        : fields;
  }

  /** The row of a collection as it is; null where there is none. */
  RawDocument row(OperationContext operation, Namespace namespace) {
    RawDocument id = new BsonBuilder().appendString("_id", namespace.full()).toDocument();
    return find(operation, Ownership.COLLECTIONS, id);
  }

  private static RawDocument document(OwnedRanges owned, RawDocument collation) {
    var out = new BsonBuilder();
    out.appendString("_id", owned.namespace().full());
    out.appendUuid("uuid", owned.uuid());
    out.appendDocument("key", owned.key().pattern());
    out.appendBoolean("unique", owned.unique());
    if (collation != null) {
      out.appendDocument("defaultCollation", collation);
    }
    out.appendObjectId("epoch", owned.version().epoch());
    out.appendTimestamp("timestamp", owned.version().timestamp());
    out.appendTimestamp("lastmod", owned.version().combined());
    if (owned.unsplittable()) {
      out.appendBoolean("unsplittable", true);
    }
    return out.toDocument();
  }

  /** Changes the rows of ranges that differ. */
  void replaceRanges(
      OperationContext operation,
      Namespace namespace,
      List<ChunkRange> before,
      List<ChunkRange> after) {
    Map<RawDocument, RawDocument> known = new HashMap<>();
    before.forEach(range -> known.put(range.min(), range.max()));
    Set<RawDocument> gone = new HashSet<>(known.keySet());
    after.forEach(range -> gone.remove(range.min()));
    // First: a bound of another key may be the same number of another type, and so the same _id.
    for (RawDocument min : gone) {
      RawDocument id =
          new BsonBuilder().appendDocument("_id", rangeId(namespace, min)).toDocument();
      delete(operation, Ownership.CHUNKS, id);
    }
    for (ChunkRange range : after) {
      RawDocument max = known.get(range.min());
      RawDocument document =
          new BsonBuilder()
              .appendDocument("_id", rangeId(namespace, range.min()))
              .appendDocument("max", range.max())
              .toDocument();
      if (max == null) {
        insert(operation, Ownership.CHUNKS, document);
      } else if (!max.equals(range.max())) {
        replace(operation, Ownership.CHUNKS, document);
      }
    }
  }

  private static RawDocument rangeId(Namespace namespace, RawDocument min) {
    return new BsonBuilder()
        .appendString("ns", namespace.full())
        .appendDocument("min", min)
        .toDocument();
  }

  void insert(OperationContext operation, Namespace table, RawDocument document) {
    var request = new InsertRequest(table, List.of(document), true, true);
    checked(operation.writes().exactly(() -> documents.insert(operation, request)));
  }

  void replace(OperationContext operation, Namespace table, RawDocument document) {
    RawDocument id = new BsonBuilder().append("_id", document.get("_id")).toDocument();
    var statement =
        new UpdateStatement(
            id, RawValue.ofDocument(document), false, true, List.of(), RawDocument.EMPTY, null);
    var request = new UpdateRequest(table, List.of(statement), true, true);
    checked(operation.writes().exactly(() -> documents.update(operation, request)));
  }

  void delete(OperationContext operation, Namespace table, RawDocument id) {
    var statement = new DeleteStatement(id, false, null);
    checked(documents.delete(operation, new DeleteRequest(table, List.of(statement), true)));
  }

  void deleteAll(OperationContext operation, Namespace table, RawDocument filter) {
    var all = new DeleteStatement(filter, true, null);
    checked(documents.delete(operation, new DeleteRequest(table, List.of(all), true)));
  }

  /** Null where there is none. */
  RawDocument find(OperationContext operation, Namespace table, RawDocument id) {
    try (ResultCursor found = documents.find(operation, FindRequest.of(table, id))) {
      RawDocument row = found.peek();
      return row == null ? null : RawDocument.of(row.toByteArray());
    }
  }

  private static void checked(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }
}
