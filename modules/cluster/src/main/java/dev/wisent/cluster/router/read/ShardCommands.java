package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;

/** What each of several shards is asked for, so that their answers can be merged. */
final class ShardCommands {
  private static final RawDocument SIMPLE =
      new BsonBuilder().appendString("locale", "simple").toDocument();

  private ShardCommands() {}

  /**
   * A find whose first documents are all that the merge can need of a shard.
   *
   * @param order null for none
   */
  static RawDocument find(FindRequest request, MergeOrder order, OperationContext operation) {
    var out = new BsonBuilder();
    out.appendString("find", request.namespace().collection());
    out.appendDocument("filter", request.filter());
    appendIfAny(
        out,
        "projection",
        order == null ? request.projection() : order.shownIn(request.projection()));
    appendIfAny(out, "sort", request.sort());
    appendHint(out, request.hint());
    if (request.min() != null) {
      out.appendDocument("min", request.min());
    }
    if (request.max() != null) {
      out.appendDocument("max", request.max());
    }
    if (request.limit() > 0) {
      out.appendInt64("limit", sum(request.skip(), request.limit()));
    }
    if (request.batchSize() >= 0) {
      out.appendInt64("batchSize", request.batchSize());
    }
    appendIfTrue(out, "returnKey", request.returnKey());
    appendIfTrue(out, "showRecordId", request.showRecordId());
    appendIfTrue(out, "tailable", request.tailing() != Tailing.NONE);
    appendIfTrue(out, "awaitData", request.tailing() == Tailing.AWAIT_DATA);
    if (operation.diskUse() != null) {
      out.appendBoolean("allowDiskUse", operation.diskUse());
    }
    appendCollation(out, request.collation());
    appendLet(out, operation);
    return out.toDocument();
  }

  /** A count in which a skip can still be done over all shards. */
  static RawDocument count(CountRequest request) {
    var out = new BsonBuilder();
    out.appendString("count", request.namespace().collection());
    out.appendDocument("query", request.query());
    if (request.limit() > 0) {
      out.appendInt64("limit", sum(request.skip(), request.limit()));
    }
    appendHint(out, request.hint());
    appendCollation(out, request.collation());
    return out.toDocument();
  }

  static RawDocument distinct(DistinctRequest request) {
    var out = new BsonBuilder();
    out.appendString("distinct", request.namespace().collection());
    out.appendString("key", request.key());
    out.appendDocument("query", request.query());
    appendHint(out, request.hint());
    appendCollation(out, request.collation());
    return out.toDocument();
  }

  private static long sum(long skip, long limit) {
    long sum = skip + limit;
    if (sum < 0) {
      throw new CommandException(
          ErrorCode.OVERFLOW,
          "sum of limit and skip cannot be represented as a 64-bit integer, limit: "
              + limit
              + ", skip: "
              + skip);
    }
    return sum;
  }

  static void appendHint(BsonBuilder out, RawValue hint) {
    if (hint != null) {
      out.append("hint", hint);
    }
  }

  /** A shard takes what is not said from its collection, as this node would. */
  static void appendCollation(BsonBuilder out, CollationChoice choice) {
    if (!choice.isInherited()) {
      Collation collation = choice.or(null);
      out.appendDocument("collation", collation == null ? SIMPLE : collation.document());
    }
  }

  static void appendLet(BsonBuilder out, OperationContext operation) {
    appendIfAny(out, "let", operation.let());
  }

  private static void appendIfAny(BsonBuilder out, String name, RawDocument document) {
    if (!document.isEmpty()) {
      out.appendDocument(name, document);
    }
  }

  private static void appendIfTrue(BsonBuilder out, String name, boolean value) {
    if (value) {
      out.appendBoolean(name, true);
    }
  }
}
