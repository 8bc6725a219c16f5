package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.shard.migration.RangeTables;
import dev.wisent.database.changestream.ShardKeyNotes;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Arrivals;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.ownership.RecountScope;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.OwnedRanges;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.bson.types.ObjectId;

/**
 * Writes the tables of this shard. Each change is one transaction, and so one entry of the log: no
 * member ever has a part of it. One change is made at a time.
 */
final class TableWriter implements RangeTables {
  private static final List<Namespace> TABLES =
      List.of(
          Ownership.DATABASES,
          Ownership.COLLECTIONS,
          Ownership.CHUNKS,
          Ownership.BLOCKS,
          Ownership.ENDED_BLOCKS,
          Ownership.CALLS,
          Ownership.ENDED_MOVES,
          Ownership.MOVES,
          Ownership.GENERATION,
          Ownership.RANGE_DELETIONS);

  private final TableRows rows;
  private final Definitions definitions;
  private final Transactions transactions;
  private final Ownership ownership;
  private final WriteGate gate;
  private final OrphanCount orphans;
  private final SessionId session;

  /** Held during a change. */
  private final ReentrantLock changing = new ReentrantLock();

  private long number; // guarded by the lock

  /**
   * @param process what tells this process from all others
   */
  TableWriter(
      Operations documents,
      Definitions definitions,
      Transactions transactions,
      Ownership ownership,
      WriteGate gate,
      ObjectId process) {
    this.rows = new TableRows(documents);
    this.definitions = definitions;
    this.transactions = transactions;
    this.ownership = ownership;
    this.gate = gate;
    this.orphans = new OrphanCount(documents, definitions);
    ByteBuffer bits = ByteBuffer.allocate(SessionId.UUID_BYTES).put(process.toByteArray()).flip();
    this.session = SessionId.of(bits.getLong(), bits.limit(SessionId.UUID_BYTES).getLong());
  }

  /**
   * Makes this node a shard of a cluster.
   *
   * @param anew whether it forgets what it has owned before it was removed
   */
  void identify(OperationContext operation, RawDocument identity, boolean anew) {
    alone(operation, () -> identifyAlone(operation, identity, anew));
  }

  /** Makes a change while no other is made; the end of the operation ends the wait for that. */
  private void alone(OperationContext operation, Runnable change) {
    operation.acquire(changing);
    try {
      change.run();
    } finally {
      changing.unlock();
    }
  }

  private void identifyAlone(OperationContext operation, RawDocument identity, boolean anew) {
    RawDocument before = ownership.tables().identity();
    if (before != null) {
      checkSame(before, identity);
    }
    createTables(operation);
    if (before == null) {
      rows.insert(operation, Ownership.VERSIONS, identity);
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
    Set<Namespace> sharded = ownership.tables().collections().keySet();
    Runnable changes =
        () -> {
          for (Namespace table : TABLES) {
            rows.deleteAll(operation, table, RawDocument.EMPTY);
          }
          sharded.forEach(namespace -> ownership.recounts().recount(namespace, 0, operation));
        };
    ownership
        .blocks()
        .exclusively(sharded, operation, gate, () -> transactionally(operation, changes));
  }

  /**
   * Forgets everything that this node has owned as a shard.
   *
   * @param first runs before that, with no other change under way; it may fail
   */
  void clear(OperationContext operation, Runnable first) {
    alone(
        operation,
        () -> {
          first.run();
          forgetAll(operation);
        });
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
  void database(OperationContext operation, String name, DatabaseVersion version) {
    alone(operation, () -> databaseAlone(operation, name, version));
  }

  private void databaseAlone(OperationContext operation, String name, DatabaseVersion version) {
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
  @Override
  public void collection(OperationContext operation, OwnedRanges changed, RawDocument collation) {
    collection(operation, changed, collation, null);
  }

  /**
   * What change streams are told of the shard key of a collection.
   *
   * @param type as {@link ShardKeyNotes} knows it
   * @param uuid of the collection before; null for that of now
   */
  record ShardingEvent(String type, RawDocument description, UUID uuid) {}

  /**
   * The same with an event for change streams, which is told once, with the first version of the
   * key.
   *
   * @param event null for none
   */
  void collection(
      OperationContext operation, OwnedRanges changed, RawDocument collation, ShardingEvent event) {
    alone(operation, () -> collectionAlone(operation, changed, collation, event));
  }

  private void collectionAlone(
      OperationContext operation, OwnedRanges given, RawDocument collation, ShardingEvent event) {
    OwnedRanges before = ownership.tables().collection(given.namespace());
    OwnedRanges changed =
        isWithoutChunks(before, given) ? given.inVersion(before.version()) : given;
    if (before != null
        && before.version().isSameCollection(changed.version())
        && changed.version().isOlderThan(before.version())) {
      throw new CommandException(
          ErrorCode.STALE_EPOCH,
          "This shard has a newer version of " + changed.namespace() + " already");
    }
    exclusively(
        operation,
        changed.namespace(),
        () -> orphans.of(operation, changed),
        () -> {
          replace(
              operation,
              Ownership.COLLECTIONS,
              rows.document(operation, before, changed, collation));
          rows.replaceRanges(
              operation,
              changed.namespace(),
              before == null ? List.of() : before.ranges(),
              changed.ranges());
          boolean anew = before == null || !before.version().isSameCollection(changed.version());
          if (event != null && anew) {
            UUID uuid = event.uuid() == null ? changed.uuid() : event.uuid();
            ((RecountScope) OperationState.scope(operation))
                .note(
                    ShardKeyNotes.entry(
                        changed.namespace(), uuid, event.type(), event.description()));
          }
        });
  }

  /** For config servers a shard without chunks has no version; it keeps the last that it had. */
  private static boolean isWithoutChunks(OwnedRanges before, OwnedRanges given) {
    return before != null
        && before.ranges().isEmpty()
        && given.ranges().isEmpty()
        && given.version().major() == 0
        && before.version().isSameCollection(given.version());
  }

  @Override
  public void change(
      OperationContext operation,
      OwnedRanges before,
      OwnedRanges after,
      long moreOrphans,
      Arrival arrival) {
    RawDocument row =
        DocumentFields.with(
            rows.row(operation, after.namespace()),
            "lastmod",
            RawValue.ofTimestamp(after.version().combined()));
    replace(
        operation,
        Ownership.COLLECTIONS,
        arrival == null ? row : Arrivals.added(row, arrival.migration(), arrival.decidedAt()));
    rows.replaceRanges(operation, after.namespace(), before.ranges(), after.ranges());
    ownership.recounts().add(after.namespace(), moreOrphans, operation);
  }

  /**
   * Changes what is owned of a collection, and with it how many of its documents are not.
   *
   * @param count counts these as they are after the change; run before it
   */
  private void exclusively(
      OperationContext operation, Namespace namespace, LongSupplier count, Runnable changes) {
    ownership
        .blocks()
        .exclusively(
            Set.of(namespace),
            operation,
            gate,
            () -> {
              long counted = count.getAsLong();
              transactionally(
                  operation,
                  () -> {
                    changes.run();
                    ownership.recounts().recount(namespace, counted, operation);
                  });
            });
  }

  /** Forgets that a collection is sharded; nothing happens where it is not. */
  void forget(OperationContext operation, Namespace namespace) {
    alone(operation, () -> forgetAlone(operation, namespace));
  }

  private void forgetAlone(OperationContext operation, Namespace namespace) {
    OwnedRanges before = ownership.tables().collection(namespace);
    if (before == null) {
      return;
    }
    exclusively(
        operation,
        namespace,
        () -> 0,
        () -> {
          rows.replaceRanges(operation, namespace, before.ranges(), List.of());
          delete(
              operation,
              Ownership.COLLECTIONS,
              new BsonBuilder().appendString("_id", namespace.full()).toDocument());
        });
  }

  @Override
  public void transactionally(OperationContext operation, Runnable changes) {
    alone(operation, () -> commit(operation, changes));
  }

  private void commit(OperationContext operation, Runnable changes) {
    createTables(operation);
    RawDocument generation =
        new BsonBuilder()
            .appendString("_id", Ownership.GENERATION_ID)
            .appendInt64(Ownership.GENERATION_NUMBER, ownership.generation() + 1)
            .toDocument();
    number++;
    var id = new TransactionId(session, number);
    ownership
        .cursorStates()
        .around(
            () -> {
              transactions.run(
                  operation,
                  new TransactionStatement(id, true, null, 0),
                  () -> {
                    WriteBlocks.checkTerm();
                    replace(operation, Ownership.GENERATION, generation);
                    changes.run();
                  });
              transactions.commit(operation, id);
            });
  }

  @Override
  public void replace(OperationContext operation, Namespace table, RawDocument document) {
    rows.replace(operation, table, document);
  }

  @Override
  public void delete(OperationContext operation, Namespace table, RawDocument id) {
    rows.delete(operation, table, id);
  }
}
