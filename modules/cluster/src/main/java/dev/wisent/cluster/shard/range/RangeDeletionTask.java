package dev.wisent.cluster.shard.range;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.Arrays;
import java.util.UUID;

/**
 * A range whose documents are to be deleted.
 *
 * @param namespace of the collection when the task was made
 * @param range as the shard key was then
 * @param pending whether the outcome of its migration is not settled
 * @param atOnce whether it is not to be delayed
 */
record RangeDeletionTask(
    RawValue id,
    Namespace namespace,
    UUID collection,
    ChunkRange range,
    boolean pending,
    boolean atOnce) {

  /** Reads a document; fails where it is no task. */
  static RangeDeletionTask parse(RawDocument document) {
    RawValue name = document.get("nss");
    RawValue uuid = document.get("collectionUuid");
    RawValue range = document.get("range");
    if (name == null || !name.isString() || uuid == null || !uuid.isUuid()) {
      throw invalid(document);
    }
    if (range == null || !range.isDocument() || !hasBounds(range.asDocument())) {
      throw invalid(document);
    }
    RawValue pending = document.get("pending");
    RawValue when = document.get("whenToClean");
    return new RangeDeletionTask(
        document.get("_id"),
        Namespace.parse(name.asString()),
        uuid.asUuid(),
        ChunkRange.of(range.asDocument()),
        pending != null && pending.isTruthy(),
        when != null && when.isString() && when.asString().equals("now"));
  }

  private static boolean hasBounds(RawDocument range) {
    RawValue min = range.get("min");
    RawValue max = range.get("max");
    return min != null && min.isDocument() && max != null && max.isDocument();
  }

  private static CommandException invalid(RawDocument document) {
    return new CommandException(
        ErrorCode.FAILED_TO_PARSE, "invalid range deletion task: " + document.toJson());
  }

  /** The range under a shard key that may have got more fields since. */
  ChunkRange rangeOf(ShardKeyPattern key) {
    return new ChunkRange(extended(range.min(), key), extended(range.max(), key));
  }

  /** Fields that a bound lacks are the least values, but behind the greatest key there is none. */
  private static RawDocument extended(RawDocument bound, ShardKeyPattern key) {
    var out = new BsonBuilder(bound.length() + 32);
    ElementCursor given = bound.elements();
    boolean greatest = true;
    for (KeyPattern.Field field : key.fields()) {
      RawValue value;
      if (given.next()) {
        value = given.value();
        greatest &= value.equals(RawValue.MAX_KEY);
      } else {
        value = greatest ? RawValue.MAX_KEY : RawValue.MIN_KEY;
      }
      out.append(field.path().dotted(), value);
    }
    return out.toDocument();
  }

  /** Whether it has keys of another range. */
  boolean overlaps(ChunkRange other, ShardKeyPattern key) {
    ChunkRange own = rangeOf(key);
    return isBefore(own.min(), other.max(), key) && isBefore(other.min(), own.max(), key);
  }

  private static boolean isBefore(RawDocument one, RawDocument other, ShardKeyPattern key) {
    return Arrays.compareUnsigned(key.encode(one), key.encode(other)) < 0;
  }
}
