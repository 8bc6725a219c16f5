package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.router.read.ReadRouting;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import dev.wisent.wire.DocumentSequence;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes of one document whose filter does not tell its shard. A find looks for the document on all
 * shards; then the document's shard gets the write, with shard key, {@code _id} and the client's
 * filter, so that it changes that document only while it still matches. Where it does not, the
 * search starts over.
 *
 * <p>A retryable write first asks all shards whether one has executed the statement; that one gets
 * it again and answers from its record. A request of an earlier attempt that is still on its way to
 * a shard while a later attempt is running is not known to that question.
 */
final class KeylessWrites {
  /** A filter that no document matches. */
  static final RawDocument NOTHING =
      new BsonBuilder(24).appendInt32("$alwaysFalse", 1).toDocument();

  private static final int ATTEMPTS_MAX = 100;

  private final WriteShards shards;
  private final ReadRouting reads;
  private final UpsertDocuments upserts;

  KeylessWrites(WriteShards shards, ReadRouting reads, UpsertDocuments upserts) {
    this.shards = shards;
    this.reads = reads;
    this.upserts = upserts;
  }

  /**
   * Another write may insert the document of an upsert first. The search that follows finds it;
   * where it does not, the duplicate key is the result.
   *
   * @return the reply of the shard that executed the statement; without a request where none did
   */
  ShardReply run(Namespace namespace, SingleWrite write, OperationContext operation) {
    ShardReply before =
        operation.retryableWrite() == null ? null : repeated(namespace, write, operation);
    if (before != null) {
      return before;
    }
    ShardReply duplicate = null;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      operation.checkNow();
      Placement placement = shards.placement(operation, namespace);
      RawDocument found = find(placement, write, operation);
      if (found == null && !write.isUpsert()) {
        return new ShardReply(null, null, write.nothing(), null);
      }
      if (found == null && duplicate != null) {
        return duplicate;
      }
      ShardReply reply =
          found == null
              ? insert(placement, write, operation)
              : shards.write(
                  operation,
                  placement,
                  placement.shardOf(found),
                  restricted(placement, write, found));
      duplicate = found == null && isDuplicate(reply) ? reply : null;
      if (duplicate == null && !isStale(reply) && isEnd(reply, write)) {
        return reply;
      }
    }
    throw new CommandException(
        ErrorCode.WRITE_CONFLICT,
        "The document to change was changed by other writes each time it was found. Please retry"
            + " your operation.");
  }

  /** What a shard replies that has executed the statement before; null where none has. */
  private ShardReply repeated(Namespace namespace, SingleWrite write, OperationContext operation) {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      operation.checkNow();
      Placement placement = shards.placement(operation, namespace);
      List<ShardReply> answers = ask(namespace, placement, write, operation);
      String shard = null;
      boolean stale = false;
      for (ShardReply answer : answers) {
        if (isStale(answer)) {
          stale = true;
        } else if (answer.get().get("retriedStmtIds") != null) {
          shard = answer.request().shard();
        }
      }
      if (shard == null && !stale) {
        return null;
      }
      ShardReply reply =
          shard == null ? null : shards.write(operation, placement, shard, write.asGiven());
      if (reply != null && !isStale(reply)) {
        return reply;
      }
    }
    throw new CommandException(
        ErrorCode.WRITE_CONFLICT, "The routing of " + namespace + " changes too often");
  }

  /** A delete of nothing under the statement's number: a shard that knows the number says so. */
  private List<ShardReply> ask(
      Namespace namespace, Placement placement, SingleWrite write, OperationContext operation) {
    var command = new BsonBuilder(128);
    command.appendString("delete", namespace.collection());
    command.startArray("stmtIds").appendInt32("0", write.statementId()).end();
    command.startDocument("writeConcern").appendInt32("w", 1).end();
    RawDocument statement =
        new BsonBuilder(64).appendDocument("q", NOTHING).appendInt32("limit", 1).toDocument();
    var form =
        new SingleWrite.Form(
            namespace,
            command.toDocument(),
            List.of(new DocumentSequence("deletes", List.of(statement))));
    List<String> names = new ArrayList<>(placement.shards());
    return shards.write(operation, placement, names, names.stream().map(name -> form).toList());
  }

  private RawDocument find(Placement placement, SingleWrite write, OperationContext operation) {
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

  private ShardReply insert(Placement placement, SingleWrite write, OperationContext operation) {
    RawDocument document = upserts.build(write.update(), placement.collation(), operation);
    return shards.write(
        operation, placement, placement.shardOf(document), write.inserting(document));
  }

  private boolean isStale(ShardReply reply) {
    if (!reply.isOk()) {
      return shards.isStale(reply.error());
    }
    RawDocument error = firstWriteError(reply);
    return error != null && shards.isStale(error);
  }

  /** Whether another write has inserted what the upsert wanted to insert. */
  private static boolean isDuplicate(ShardReply reply) {
    if (!reply.isOk()) {
      return reply.error().code() == ErrorCode.DUPLICATE_KEY;
    }
    RawDocument error = firstWriteError(reply);
    return error != null && error.get("code").toLong() == ErrorCode.DUPLICATE_KEY.code();
  }

  private static boolean isEnd(ShardReply reply, SingleWrite write) {
    return !reply.isOk() || firstWriteError(reply) != null || write.hasMatched(reply.body());
  }

  private static RawDocument firstWriteError(ShardReply reply) {
    RawValue errors = reply.body().get("writeErrors");
    if (errors == null) {
      return null;
    }
    ElementCursor each = errors.elements();
    return each.next() ? each.value().asDocument() : null;
  }
}
