package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds out after a start whether this shard was restored from an older backup: then the config
 * servers know a newer version of what it owns than it does, which is never so otherwise, as they
 * are told last. Ranges that it has given away since become orphans and are deleted; those that it
 * has got since are stored and logged as missing. Requests of routers wait for that, and a moment
 * at most where the config servers do not answer.
 */
final class RestoredTables {
  /** What a backup does not have, for {@code checkMetadataConsistency}. */
  static final Namespace MISSING = new Namespace("config", "missingRanges");

  private static final int RESTORED_LOG_ID = 9_000_572;
  private static final int MISSING_LOG_ID = 9_000_573;
  private static final int UNKNOWN_LOG_ID = 9_000_574;

  private static final long CALL_MILLIS_MAX = 5_000;
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final MigrationStore store;
  private final Ownership ownership;
  private final RangeTables tables;
  private final Operations documents;
  private final Definitions definitions;
  private final ConfigOwnership config;
  private final WriteGate gate;
  private final RandomSource random;
  private final Clock clock;
  private final Log log;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private volatile boolean done;
  private long deadlineNanos; // guarded by the lock; 0 before the first request

  RestoredTables(
      MigrationStore store,
      Ownership ownership,
      RangeTables tables,
      Operations documents,
      Definitions definitions,
      ConfigOwnership config,
      WriteGate gate,
      RandomSource random,
      Clock clock,
      Log log) {
    this.store = store;
    this.ownership = ownership;
    this.tables = tables;
    this.documents = documents;
    this.definitions = definitions;
    this.config = config;
    this.gate = gate;
    this.random = random;
    this.clock = clock;
    this.log = log;
    // What becomes a shard later has no older tables.
    this.done = ownership.tables().identity() == null;
  }

  /** Compares the tables with the config servers, once; to be called until it has succeeded. */
  void turn() {
    if (done || !gate.isOpen()) {
      return;
    }
    OperationContext operation = OperationContext.internal(clock);
    operation.limitMillis(CALL_MILLIS_MAX);
    try {
      for (Namespace each : List.copyOf(ownership.tables().collections().keySet())) {
        compare(operation, each);
      }
      end();
    } catch (CommandException e) {
      log.debug(UNKNOWN_LOG_ID, "The config servers were not asked yet", "error", e.getMessage());
    }
  }

  private void end() {
    lock.lock();
    try {
      done = true;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the tables are compared, or the config servers have not answered for a while. */
  void await(OperationContext operation) {
    if (done || !gate.isOpen()) {
      return;
    }
    operation.await(nanos -> awaitEnd(nanos));
  }

  private boolean awaitEnd(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long now = clock.monotonicNanos();
      if (deadlineNanos == 0) {
        deadlineNanos = now + WAIT_NANOS_MAX;
      }
      long left = Math.min(nanos, deadlineNanos - now);
      while (!done && left > 0) {
        left = ended.awaitNanos(left);
      }
      return done || deadlineNanos - clock.monotonicNanos() <= 0;
    } finally {
      lock.unlock();
    }
  }

  private void compare(OperationContext operation, Namespace namespace) {
    String shard = ownership.tables().identity().get("shardName").asString();
    // Before the config servers are asked: they know a migration before any shard does.
    List<RangeMove> moves = moves(namespace);
    // The config servers before the ranges: what they have heard of is in the tables already.
    ConfigOwnership.Owned told = config.of(operation, namespace, shard);
    if (!isBehind(ownership.tables().collection(namespace), told)) {
      return;
    }
    Set<UUID> unfinished = config.migrations(operation, namespace);
    List<RangeMove> over = moves.stream().filter(move -> !unfinished.contains(move.id())).toList();
    reconcile(operation, namespace, told, over, shard);
  }

  /**
   * Whether the config servers know a newer state. The version of a shard without chunks is that of
   * its last one, and the collection's goes on without it.
   */
  private static boolean isBehind(OwnedRanges own, ConfigOwnership.Owned told) {
    return told != null
        && own != null
        && own.version().isSameCollection(told.version())
        && own.version().major() < told.version().major()
        && !(own.ranges().isEmpty() && told.ranges().isEmpty());
  }

  private void reconcile(
      OperationContext operation,
      Namespace namespace,
      ConfigOwnership.Owned told,
      List<RangeMove> over,
      String shard) {
    store.createCollections(operation);
    if (definitions.find(MISSING) == null) {
      definitions.create(operation, new CreateRequest(MISSING, RawDocument.EMPTY, null));
    }
    ownership
        .blocks()
        .exclusively(
            Set.of(namespace),
            operation,
            gate,
            () -> {
              // Another primary may have compared them while this one waited.
              OwnedRanges own = ownership.tables().collection(namespace);
              if (isBehind(own, told)) {
                reconcile(operation, own, told, over, shard);
              }
            });
  }

  /** No write of the collection is under way. */
  private void reconcile(
      OperationContext operation,
      OwnedRanges own,
      ConfigOwnership.Owned told,
      List<RangeMove> over,
      String shard) {
    var after =
        new OwnedRanges(
            own.namespace(),
            own.uuid(),
            own.key(),
            own.unique(),
            told.version(),
            told.ranges(),
            own.unsplittable());
    List<ChunkRange> given = difference(own, after);
    List<ChunkRange> missing = difference(after, own);
    log.error(
        RESTORED_LOG_ID,
        "This shard has older data than the config servers know of, as after a restored backup",
        "namespace",
        own.namespace().full(),
        "here",
        own.version().toDocument().toJson(),
        "configServers",
        told.version().toDocument().toJson(),
        "givenAway",
        given.toString());
    OperationContext reading = store.partOf(operation);
    long gone = count(reading, own, given);
    long come = count(reading, own, missing);
    List<RawDocument> deletions = deletionsOf(operation, over);
    store.transactionally(
        operation,
        part -> {
          tables.change(part, own, after, gone - come);
          for (RangeMove each : over) {
            tables.delete(part, Ownership.MOVES, idOf(each));
            tables.delete(part, MigrationStore.DONATIONS, idOf(each));
            tables.delete(part, MigrationStore.RECEPTIONS, idOf(each));
          }
          for (RawDocument each : deletions) {
            tables.replace(part, MigrationStore.DELETIONS, each);
          }
          for (ChunkRange each : given) {
            tables.replace(part, MigrationStore.DELETIONS, deletion(own, each, shard));
          }
          for (ChunkRange each : missing) {
            tables.replace(part, MISSING, missing(own, each));
          }
        });
    for (ChunkRange each : missing) {
      log.error(
          MISSING_LOG_ID,
          "The documents of a range that this shard owns are not in its backup",
          "namespace",
          own.namespace().full(),
          "range",
          each.toString());
    }
  }

  private List<RangeMove> moves(Namespace namespace) {
    return ownership.tables().moves().getOrDefault(namespace, List.of());
  }

  /**
   * The deletions of ranges that migrations have given away, which wait for their end no longer.
   */
  private List<RawDocument> deletionsOf(OperationContext operation, List<RangeMove> over) {
    return over.stream()
        .map(each -> store.find(operation, MigrationStore.DELETIONS, each.id()))
        .filter(Objects::nonNull)
        .map(each -> DocumentFields.without(each, "pending"))
        .toList();
  }

  private static RawDocument idOf(RangeMove move) {
    return new BsonBuilder().appendUuid("_id", move.id()).toDocument();
  }

  private static List<ChunkRange> difference(OwnedRanges from, OwnedRanges taken) {
    OwnedRanges left = from;
    for (ChunkRange each : taken.ranges()) {
      left = left.without(each, from.version());
    }
    return left.ranges();
  }

  private long count(OperationContext operation, OwnedRanges own, List<ChunkRange> ranges) {
    long count = 0;
    for (ChunkRange each : ranges) {
      count +=
          new RangeDocuments(documents, definitions, own.namespace(), own.key(), each)
              .count(operation);
    }
    return count;
  }

  private RawDocument deletion(OwnedRanges own, ChunkRange range, String shard) {
    var gone =
        new Migration(random.nextUuid(), own.namespace(), own.uuid(), range, shard, "unknown");
    return store.deletion(gone, 0, true, false);
  }

  private RawDocument missing(OwnedRanges own, ChunkRange range) {
    var out = new BsonBuilder().appendUuid("_id", random.nextUuid());
    out.appendString("nss", own.namespace().full()).appendUuid("collectionUuid", own.uuid());
    out.startDocument("range");
    range.append(out);
    return out.end().appendDate("since", clock.wallMillis()).toDocument();
  }
}
