package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.OwnedRanges;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.types.ObjectId;

/**
 * Writes the tables of this shard. Each change is one transaction, and so one entry of the log: no
 * member ever has a part of it. One change is made at a time.
 */
final class TableWriter {
  private static final List<Namespace> TABLES =
      List.of(
          Ownership.DATABASES,
          Ownership.COLLECTIONS,
          Ownership.CHUNKS,
          Ownership.BLOCKS,
          Ownership.GENERATION);

  private final Operations documents;
  private final Definitions definitions;
  private final Transactions transactions;
  private final Ownership ownership;
  private final SessionId session;
  private long number; // guarded by this

  /**
   * @param process what tells this process from all others
   */
  TableWriter(
      Operations documents,
      Definitions definitions,
      Transactions transactions,
      Ownership ownership,
      ObjectId process) {
    this.documents = documents;
    this.definitions = definitions;
    this.transactions = transactions;
    this.ownership = ownership;
    ByteBuffer bits = ByteBuffer.allocate(SessionId.UUID_BYTES).put(process.toByteArray()).flip();
    this.session = SessionId.of(bits.getLong(), bits.limit(SessionId.UUID_BYTES).getLong());
  }

  /**
   * Makes this node a shard of a cluster.
   *
   * @param anew whether it forgets what it has owned before it was removed
   */
  synchronized void identify(OperationContext operation, RawDocument identity, boolean anew) {
    RawDocument before = ownership.tables().identity();
    if (before != null) {
      checkSame(before, identity);
    }
    createTables(operation);
    if (before == null) {
      insert(operation, Ownership.VERSIONS, identity);
    } else if (anew) {
      forgetAll(operation);
    }
  }

  private void createTables(OperationContext operation) {
    for (Namespace table : TABLES) {
      if (definitions.find(table) == null) {
        definitions.create(operation, new CreateRequest(table, RawDocument.EMPTY, null));
      }
    }
  }

  private void forgetAll(OperationContext operation) {
    transactionally(
        operation,
        () -> {
          for (Namespace table : TABLES) {
            var all = new DeleteStatement(RawDocument.EMPTY, true, null);
            checked(documents.delete(operation, new DeleteRequest(table, List.of(all), true)));
          }
        });
    ownership.changed();
  }

  private static void checkSame(RawDocument before, RawDocument identity) {
    for (String field : List.of("shardName", "clusterId")) {
      if (!before.get(field).equals(identity.get(field))) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION,
            "This node is shard "
                + before.get("shardName").asString()
                + " of another cluster or by another name already: "
                + before.toJson());
      }
    }
  }

  /**
   * Makes this shard the primary of a database, or ends that.
   *
   * @param version null to end it
   */
  synchronized void database(OperationContext operation, String name, DatabaseVersion version) {
    RawDocument id = new BsonBuilder().appendString("_id", name).toDocument();
    transactionally(
        operation,
        () -> {
          if (version == null) {
            delete(operation, Ownership.DATABASES, id);
          } else {
            replace(
                operation,
                Ownership.DATABASES,
                new BsonBuilder()
                    .appendString("_id", name)
                    .appendDocument("version", version.toDocument())
                    .toDocument());
          }
        });
  }

  /** Replaces what this shard knows of a collection; an older version changes nothing. */
  synchronized void collection(
      OperationContext operation, OwnedRanges changed, RawDocument collation) {
    OwnedRanges before = ownership.tables().collection(changed.namespace());
    if (before != null
        && before.version().isSameCollection(changed.version())
        && changed.version().isOlderThan(before.version())) {
      throw new CommandException(
          ErrorCode.STALE_EPOCH,
          "This shard has a newer version of " + changed.namespace() + " already");
    }
    transactionally(
        operation,
        () -> {
          replace(operation, Ownership.COLLECTIONS, document(changed, collation));
          replaceRanges(
              operation,
              changed.namespace(),
              before == null ? List.of() : before.ranges(),
              changed.ranges());
        });
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
    return out.toDocument();
  }

  private void replaceRanges(
      OperationContext operation,
      Namespace namespace,
      List<ChunkRange> before,
      List<ChunkRange> after) {
    Map<RawDocument, RawDocument> left = new HashMap<>();
    before.forEach(range -> left.put(range.min(), range.max()));
    for (ChunkRange range : after) {
      RawDocument max = left.remove(range.min());
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
    for (RawDocument min : left.keySet()) {
      RawDocument id =
          new BsonBuilder().appendDocument("_id", rangeId(namespace, min)).toDocument();
      delete(operation, Ownership.CHUNKS, id);
    }
  }

  private static RawDocument rangeId(Namespace namespace, RawDocument min) {
    return new BsonBuilder()
        .appendString("ns", namespace.full())
        .appendDocument("min", min)
        .toDocument();
  }

  /** Forgets that a collection is sharded; nothing happens where it is not. */
  synchronized void forget(OperationContext operation, Namespace namespace) {
    OwnedRanges before = ownership.tables().collection(namespace);
    if (before == null) {
      return;
    }
    transactionally(
        operation,
        () -> {
          replaceRanges(operation, namespace, before.ranges(), List.of());
          delete(
              operation,
              Ownership.COLLECTIONS,
              new BsonBuilder().appendString("_id", namespace.full()).toDocument());
        });
  }

  /**
   * Keeps writes out of a collection or database; returns when none is under way.
   *
   * @param id of the coordinator: another one may block the same
   * @param reads whether routers may not read it either
   */
  void block(OperationContext operation, String name, RawValue id, boolean reads) {
    RawDocument block = blockId(name, id);
    replace(
        operation,
        Ownership.BLOCKS,
        reads
            ? new BsonBuilder().appendAll(block).appendBoolean("reads", true).toDocument()
            : block);
    ownership.blocks().awaitEmpty(name, operation);
  }

  /** Ends a block; nothing happens where there is none. */
  void unblock(OperationContext operation, String name, RawValue id) {
    delete(operation, Ownership.BLOCKS, blockId(name, id));
    ownership.changed();
  }

  private static RawDocument blockId(String name, RawValue id) {
    return new BsonBuilder()
        .startDocument("_id")
        .appendString("ns", name)
        .append("id", id)
        .end()
        .toDocument();
  }

  private void transactionally(OperationContext operation, Runnable changes) {
    createTables(operation);
    RawDocument generation =
        new BsonBuilder()
            .appendString("_id", Ownership.GENERATION_ID)
            .appendInt64(Ownership.GENERATION_NUMBER, ownership.generation() + 1)
            .toDocument();
    number++;
    var id = new TransactionId(session, number);
    transactions.run(
        operation,
        new TransactionStatement(id, true, null, 0),
        () -> {
          replace(operation, Ownership.GENERATION, generation);
          changes.run();
        });
    transactions.commit(operation, id);
  }

  void insert(OperationContext operation, Namespace table, RawDocument document) {
    checked(documents.insert(operation, new InsertRequest(table, List.of(document), true, true)));
  }

  private void replace(OperationContext operation, Namespace table, RawDocument document) {
    RawDocument id = new BsonBuilder().append("_id", document.get("_id")).toDocument();
    var statement =
        new UpdateStatement(
            id, RawValue.ofDocument(document), false, true, List.of(), RawDocument.EMPTY, null);
    checked(documents.update(operation, new UpdateRequest(table, List.of(statement), true, true)));
  }

  private void delete(OperationContext operation, Namespace table, RawDocument id) {
    var statement = new DeleteStatement(id, false, null);
    checked(documents.delete(operation, new DeleteRequest(table, List.of(statement), true)));
  }

  private static void checked(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }
}
