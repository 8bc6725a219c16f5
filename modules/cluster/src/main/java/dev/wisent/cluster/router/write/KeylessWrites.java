package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import dev.wisent.wire.DocumentSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Writes of one document whose filter does not tell its shard. A find looks for the document on all
 * shards; then the document's shard gets the write, with shard key, {@code _id} and the client's
 * filter, so that it changes that document only while it still matches. Where it does not, the
 * search starts over.
 *
 * <p>An attempt to execute a retryable write first registers with all shards. One that has executed
 * the statement says so; it gets the statement again and answers from its record. The others
 * execute no earlier attempt from then on, so that a request which is still on its way to one of
 * them has no effect when it comes (rule H12).
 */
final class KeylessWrites {
  /** A filter that no document matches. */
  static final RawDocument NOTHING =
      new BsonBuilder(24).appendInt32("$alwaysFalse", 1).toDocument();

  private static final int ATTEMPTS_MAX = 100;
  private static final int ATTEMPTS_AT_ONCE = 5;
  private static final int PAUSE_MILLIS_MAX = 50;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final WriteShards shards;
  private final ReadRouting reads;
  private final Function<OperationContext, ReadPoint> snapshots;
  private final UpsertDocuments upserts;
  private final MovedDocuments moves;
  private final RisingNumbers attempts = new RisingNumbers();

  KeylessWrites(
      WriteShards shards,
      ReadRouting reads,
      Function<OperationContext, ReadPoint> snapshots,
      UpsertDocuments upserts,
      MovedDocuments moves) {
    this.shards = shards;
    this.reads = reads;
    this.snapshots = snapshots;
    this.upserts = upserts;
    this.moves = moves;
  }

  /**
   * Another write may insert the document of an upsert first. The search that follows finds it;
   * where it does not, the duplicate key is the result. In a transaction it is the result at once:
   * the error has ended the shard's part.
   *
   * @return the reply of the shard that executed the statement; without a request where none did
   */
  ShardReply run(Namespace namespace, SingleWrite write, OperationContext operation) {
    ShardReply duplicate = null;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      pause(attempt, operation);
      Placement placement = shards.placement(operation, namespace);
      Registration registered = register(placement, write, operation);
      if (registered == null) {
        continue;
      }
      if (registered.doneBy != null) {
        ShardReply before = shards.write(operation, placement, registered.doneBy, write.asGiven());
        if (!isStale(before)) {
          return before;
        }
        continue;
      }
      RawDocument found;
      try {
        found = find(placement, write, operation);
      } catch (CommandException e) {
        if (!isSnapshotGone(e)) {
          throw e;
        }
        continue;
      }
      if (found == null && !write.isUpsert()) {
        return new ShardReply(null, null, write.nothing(), null);
      }
      if (found == null && duplicate != null) {
        return duplicate;
      }
      ShardReply reply =
          found == null
              ? insert(placement, write, registered.attempt, operation)
              : change(placement, write, found, registered.attempt, operation);
      boolean again = !RoutedOperation.isStatement(operation);
      duplicate = again && found == null && isDuplicate(reply) ? reply : null;
      if (duplicate == null && reply != null && !isStartedOver(reply) && isEnd(reply, write)) {
        return reply;
      }
    }
    throw MovedDocuments.tooManyConflicts();
  }

  /** Where a range moves, the new shard may need a moment. */
  private static void pause(int attempt, OperationContext operation) {
    operation.checkNow();
    if (attempt > ATTEMPTS_AT_ONCE) {
      LockSupport.parkNanos(Math.min(attempt, PAUSE_MILLIS_MAX) * NANOS_PER_MILLI);
      operation.checkNow();
    }
  }

  /**
   * An attempt that the shards know of.
   *
   * @param attempt 0 for a write that is not retryable
   * @param doneBy the shard that has executed the statement before; null where none has
   */
  private record Registration(long attempt, String doneBy) {}

  /** Null where it is to be tried again. */
  private Registration register(
      Placement placement, SingleWrite write, OperationContext operation) {
    if (operation.retryableWrite() == null) {
      return new Registration(0, null);
    }
    long attempt = attempts.next(operation.clock());
    boolean again = false;
    for (ShardReply answer : ask(placement, write, attempt, operation)) {
      again |= isStartedOver(answer);
      if (!again && answer.get().get("retriedStmtIds") != null) {
        return new Registration(attempt, answer.request().shard());
      }
    }
    return again ? null : new Registration(attempt, null);
  }

  /** A delete of nothing under the statement's number: a shard that knows the number says so. */
  private List<ShardReply> ask(
      Placement placement, SingleWrite write, long attempt, OperationContext operation) {
    SingleWrite.Form given = write.asGiven();
    var command = new BsonBuilder(160);
    command.appendString("delete", given.namespace().collection());
    command.startArray("stmtIds").appendInt32("0", write.statementId()).end();
    command.startDocument("writeConcern").appendInt32("w", 1).end();
    command.startDocument("routing").appendInt64("attempt", attempt);
    command.appendBoolean("register", true).end();
    RawDocument statement =
        new BsonBuilder(64).appendDocument("q", NOTHING).appendInt32("limit", 1).toDocument();
    var form =
        new SingleWrite.Form(
            given.namespace(),
            command.toDocument(),
            List.of(new DocumentSequence("deletes", List.of(statement))));
    List<String> names = new ArrayList<>(placement.shards());
    return shards.write(operation, placement, names, names.stream().map(name -> form).toList());
  }

  /** Changes a document that was found; null where the search has to start over. */
  private ShardReply change(
      Placement placement,
      SingleWrite write,
      RawDocument found,
      long attempt,
      OperationContext operation) {
    String shard = placement.shardOf(found);
    SingleWrite.Form form = restricted(placement, write, found);
    ShardReply reply = shards.write(operation, placement, shard, form.as(attempt));
    return MovedDocuments.isMove(MovedInserts.errorOf(reply))
        ? moves.run(placement, shard, write, form, attempt, operation)
        : reply;
  }

  /**
   * Only a state of all shards at one time shows that there is no such document. One that moves may
   * be found on no shard otherwise: the first was asked after the document had left it, the second
   * before it came.
   */
  private RawDocument find(Placement placement, SingleWrite write, OperationContext operation) {
    RawDocument found = findNow(placement, write, operation);
    if (found != null || placement.shards().size() < 2 || isOfOneTime(operation)) {
      return found;
    }
    ReadPoint time = snapshots.apply(operation);
    if (time == null) {
      return null;
    }
    operation.readPoint(time);
    try {
      return findNow(placement, write, operation);
    } finally {
      operation.readPoint(null);
    }
  }

  private static boolean isOfOneTime(OperationContext operation) {
    return operation.readPoint() != null || RoutedOperation.isStatement(operation);
  }

  private static boolean isSnapshotGone(CommandException error) {
    return error.code() == ErrorCode.SNAPSHOT_UNAVAILABLE
        || error.code() == ErrorCode.SNAPSHOT_TOO_OLD;
  }

  private RawDocument findNow(Placement placement, SingleWrite write, OperationContext operation) {
    try (ResultCursor found = reads.find(operation, write.search(projection(placement)))) {
      RawDocument document = found.peek();
      return document == null ? null : document.detached();
    }
  }

  /** What tells a document's shard, and the document on its shard. */
  private static RawDocument projection(Placement placement) {
    var out = new BsonBuilder(64);
    out.appendInt32("_id", 1);
    if (placement.isSharded()) {
      ElementCursor fields = placement.sharded().key().pattern().elements();
      while (fields.next()) {
        if (!fields.name().equals("_id") && !fields.name().startsWith("_id.")) {
          out.appendInt32(fields.name(), 1);
        }
      }
    }
    return out.toDocument();
  }

  /** Names the document by its key as well, so that the shard lets the update change the key. */
  private static SingleWrite.Form restricted(
      Placement placement, SingleWrite write, RawDocument found) {
    RawDocument query = write.query();
    var filter = new BsonBuilder(query.length() + 128);
    boolean idInKey = false;
    if (placement.isSharded()) {
      for (KeyPattern.Field field : placement.sharded().key().fields()) {
        RawValue value = PlainValues.valueOrArray(found, field.path());
        appendEquality(filter, field.path().dotted(), value == null ? RawValue.NULL : value);
        idInKey |= field.path().dotted().equals("_id");
      }
    }
    if (!idInKey) {
      appendEquality(filter, "_id", found.get("_id"));
    }
    filter.startArray("$and").appendDocument(0, query).end();
    return write.restrictedTo(filter.toDocument());
  }

  private static void appendEquality(BsonBuilder filter, String path, RawValue value) {
    if (value.isDocument() || value.type() == ElementType.REGEX) {
      filter.startDocument(path).append("$eq", value).end();
    } else {
      filter.append(path, value);
    }
  }

  private ShardReply insert(
      Placement placement, SingleWrite write, long attempt, OperationContext operation) {
    RawDocument document = upserts.build(write.update(), placement.collation(), operation);
    return shards.write(
        operation, placement, placement.shardOf(document), write.inserting(document).as(attempt));
  }

  private boolean isStale(ShardReply reply) {
    CommandException error = MovedInserts.errorOf(reply);
    return error != null && shards.isStale(error);
  }

  /** Whether a shard refused a write for a stale version, or because of a newer attempt. */
  private boolean isStartedOver(ShardReply reply) {
    CommandException error = MovedInserts.errorOf(reply);
    if (error != null && error.code() == ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS) {
      attempts.leap();
      return true;
    }
    return isStale(reply);
  }

  /** Whether another write has inserted what the upsert wanted to insert. */
  private static boolean isDuplicate(ShardReply reply) {
    CommandException error = MovedInserts.errorOf(reply);
    return error != null && error.code() == ErrorCode.DUPLICATE_KEY;
  }

  private static boolean isEnd(ShardReply reply, SingleWrite write) {
    return MovedInserts.errorOf(reply) != null || write.hasMatched(reply.body());
  }
}
