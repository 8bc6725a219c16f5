package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.cluster.shard.range.RangeDeletions;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.IncomingMigrations;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The shard that gets a range. It does what the donor and the coordinator tell it, each as often as
 * they do. Thread-safe.
 */
final class Recipient implements IncomingMigrations {
  /** How long writes of the collection may take to let the end of a migration begin. */
  private static final long DRAIN_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** How long a write waits at a time for the outcome of a migration that it cannot end. */
  private static final long OUTCOME_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** Held while a migration becomes ready or is given up: it does not do both. */
  private final ReentrantLock promise = new ReentrantLock();

  private final MigrationStore store;
  private final Ownership ownership;
  private final RangeTables tables;
  private final Operations documents;
  private final Definitions definitions;
  private final IncomingDocuments incoming;
  private final SessionCopies sessions;
  private final RangeDeletions deletions;
  private final WriteGate gate;
  private final MigrationFigures figures;
  private final IncomingCounts counts;

  Recipient(
      MigrationStore store,
      Ownership ownership,
      RangeTables tables,
      Operations documents,
      Definitions definitions,
      SessionCopies sessions,
      RangeDeletions deletions,
      WriteGate gate,
      MigrationFigures figures) {
    this.gate = gate;
    this.counts = new IncomingCounts(gate);
    this.deletions = deletions;
    this.store = store;
    this.ownership = ownership;
    this.tables = tables;
    this.documents = documents;
    this.definitions = definitions;
    this.incoming = new IncomingDocuments(documents, figures);
    this.sessions = sessions;
    this.figures = figures;
  }

  /**
   * What a recipient has to know of a collection.
   *
   * @param none the version of a shard without chunks
   */
  record Definition(RawDocument key, boolean unique, RawDocument collation, ChunkVersion none) {}

  /** To be called before the collection is made what it is on the donor. */
  void requireNotEnded(OperationContext operation, Migration migration) {
    store.requireNotEnded(operation, migration);
  }

  /** Begins, or begins anew. The collection and its indexes are there already. */
  void start(OperationContext operation, Migration migration, Definition definition) {
    store.requireNotEnded(operation, migration);
    figures.add(Figure.RECEPTIONS, 1);
    store.createCollections(operation);
    know(operation, migration, definition);
    deletions.awaitClean(
        migration.uuid(), store.owned(migration).key(), migration.range(), operation);
    store.put(
        operation,
        MigrationStore.RECEPTIONS,
        migration.document(MigrationStore.CLONING).toDocument());
    requireStillNotEnded(operation, migration);
    incoming.clear(store.partOf(operation), migration.namespace(), range(migration));
    counts.begin(migration.id());
  }

  /** An end that was noted meanwhile may have found nothing to remove. */
  private void requireStillNotEnded(OperationContext operation, Migration migration) {
    try {
      store.requireNotEnded(operation, migration);
    } catch (CommandException e) {
      store.remove(operation, MigrationStore.RECEPTIONS, migration.storedId());
      throw e;
    }
  }

  private RangeDocuments range(Migration migration) {
    return new RangeDocuments(
        documents,
        definitions,
        migration.namespace(),
        store.owned(migration).key(),
        migration.range());
  }

  /** Without that, documents of the collection would count as owned. */
  private void know(OperationContext operation, Migration migration, Definition definition) {
    OwnedRanges known = ownership.tables().collection(migration.namespace());
    if (known == null || !known.version().isSameCollection(definition.none)) {
      if (known != null && !known.ranges().isEmpty()) {
        throw new CommandException(
            ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
            "this shard has chunks of another version of " + migration.namespace());
      }
      var none =
          new OwnedRanges(
              migration.namespace(),
              migration.uuid(),
              ShardKeyPattern.of(definition.key),
              definition.unique,
              definition.none,
              List.of());
      tables.collection(store.partOf(operation), none, definition.collation);
    }
    if (store.owned(migration).overlaps(migration.range())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "this shard owns keys of the range " + migration.range() + " already");
    }
  }

  /** Fails for a migration that is over, or was begun on a member whose writes were lost. */
  private void requireCloning(OperationContext operation, Migration migration) {
    if (store.find(operation, MigrationStore.RECEPTIONS, migration.id()) == null) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "this shard does not know the migration " + migration.id());
    }
  }

  /** Stores documents; those that were there are replaced. */
  void take(
      OperationContext operation, Migration migration, List<RawDocument> given, boolean late) {
    requireCloning(operation, migration);
    counts.change(
        migration.id(),
        () -> incoming.insert(store.partOf(operation), migration.namespace(), given, late));
    if (store.find(operation, MigrationStore.RECEPTIONS, migration.id()) == null) {
      // A write has ended it meanwhile, and what deletes the rest may have looked already.
      var unused = incoming.remove(store.partOf(operation), migration.namespace(), given);
      requireCloning(operation, migration);
    }
  }

  /** Deletes documents by their {@code _id}. */
  void delete(OperationContext operation, Migration migration, List<RawDocument> ids) {
    requireCloning(operation, migration);
    counts.change(
        migration.id(),
        () -> -incoming.delete(store.partOf(operation), migration.namespace(), ids));
  }

  void takeSessions(OperationContext operation, Migration migration, List<RawDocument> copies) {
    requireCloning(operation, migration);
    sessions.add(copies, operation);
  }

  /**
   * Before the moment in which writers wait. What takes long is done here.
   *
   * @return whether no write of the collection is under way that is as old as that
   */
  boolean awaitCalm(OperationContext operation, Migration migration, long ageNanos, long nanosMax) {
    requireCloning(operation, migration);
    var unused = count(operation, migration);
    return ownership.blocks().awaitCalm(migration.namespace(), ageNanos, operation, gate, nanosMax);
  }

  private long count(OperationContext operation, Migration migration) {
    return counts.get(migration.id(), () -> range(migration).count(store.partOf(operation)));
  }

  /**
   * Says that everything is there: from now on requests of the new version wait for the outcome.
   *
   * @return how many documents of the range are there
   */
  long ready(OperationContext operation, Migration migration, ChunkVersion version) {
    operation.acquire(promise);
    try {
      return promised(operation, migration, version);
    } finally {
      promise.unlock();
    }
  }

  private long promised(OperationContext operation, Migration migration, ChunkVersion version) {
    requireCloning(operation, migration);
    OwnedRanges owned = store.owned(migration);
    if (owned.overlaps(migration.range())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "this shard owns keys of the range " + migration.range() + " already");
    }
    long count = count(operation, migration);
    RawDocument document =
        migration.document(MigrationStore.READY).appendInt64("documents", count).toDocument();
    RawDocument expected = MigrationStore.moveDocument(migration, migration.move(version, false));
    boolean drained =
        ownership
            .blocks()
            .tryExclusively(
                migration.namespace(),
                operation,
                gate,
                DRAIN_NANOS_MAX,
                () -> {
                  ownership.blocks().awaitOutcome(migration.namespace());
                  store.transactionally(
                      operation,
                      part -> {
                        tables.replace(part, Ownership.MOVES, expected);
                        tables.replace(part, MigrationStore.RECEPTIONS, document);
                      });
                });
    if (!drained) {
      throw new CommandException(
          ErrorCode.LOCK_TIMEOUT,
          "writes of " + migration.namespace() + " are under way on the recipient");
    }
    return count;
  }

  /**
   * Owns the range from now on.
   *
   * @param decidedAt when the donor has given it away; 0 where a later primary of it does not know
   */
  void commit(OperationContext operation, Migration migration, long decidedAt) {
    RangeMove move = store.move(migration);
    if (move == null) {
      requireCloning(operation, migration);
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "the migration " + migration.id() + " is not ready here");
    }
    if (move.decided()) {
      return;
    }
    long start = operation.clock().monotonicNanos();
    ownership
        .blocks()
        .exclusively(
            Set.of(migration.namespace()),
            operation,
            gate,
            () -> own(operation, migration, decidedAt));
    figures.add(
        Figure.RECIPIENT_CRITICAL_MILLIS,
        TimeUnit.NANOSECONDS.toMillis(operation.clock().monotonicNanos() - start));
  }

  /**
   * No write of the collection is under way. The donor may have told the outcome several times at
   * once, and another request have done it all.
   */
  private void own(OperationContext operation, Migration migration, long decidedAt) {
    RangeMove move = store.move(migration);
    if (move == null || move.decided()) {
      return;
    }
    RawDocument stored = store.find(operation, MigrationStore.RECEPTIONS, migration.id());
    long count = DocumentFields.number(stored, "documents");
    OwnedRanges before = store.owned(migration);
    var arrival = decidedAt == 0 ? null : new RangeTables.Arrival(migration.id(), decidedAt);
    store.transactionally(
        operation,
        part -> {
          tables.change(
              part, before, before.with(migration.range(), move.version()), -count, arrival);
          tables.replace(
              part, Ownership.MOVES, MigrationStore.moveDocument(migration, move.withOutcome()));
        });
  }

  /** Ends a migration that was not decided. */
  void abort(OperationContext operation, Migration migration) {
    store.noteEnd(operation, migration);
    giveUp(operation, migration);
  }

  /** Gives up what has come; what is there of it is deleted later. */
  private void giveUp(OperationContext operation, Migration migration) {
    RangeMove move = store.move(migration);
    if (move != null && move.decided()) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "the migration " + migration.id() + " has committed");
    }
    counts.end(migration.id());
    if (store.find(operation, MigrationStore.RECEPTIONS, migration.id()) == null) {
      return;
    }
    RawDocument deletion = store.deletion(migration, leftOver(operation, migration), true, false);
    boolean gone = definitions.find(migration.namespace()) == null;
    store.transactionally(
        operation,
        part -> {
          tables.delete(part, Ownership.MOVES, migration.storedId());
          tables.delete(part, MigrationStore.RECEPTIONS, migration.storedId());
          if (!gone) {
            tables.replace(part, MigrationStore.DELETIONS, deletion);
          }
        });
  }

  @Override
  public void refuse(UUID collection, RawDocument document, OperationContext operation) {
    operation.acquire(promise);
    Migration promised;
    try {
      promised = tryRefuse(collection, document, operation);
    } finally {
      promise.unlock();
    }
    if (promised != null) {
      // A document that is owned then is a duplicate.
      ownership.awaitTables(
          operation,
          tables -> {
            RangeMove move = store.move(promised);
            return move == null || move.decided();
          },
          OUTCOME_NANOS_MAX);
    }
  }

  /** Gives up a migration that is not ready; returns one that is. */
  private Migration tryRefuse(UUID collection, RawDocument document, OperationContext operation) {
    for (RawDocument stored : store.all(operation, MigrationStore.RECEPTIONS)) {
      Migration migration = Migration.of(stored);
      if (migration.uuid().equals(collection) && has(migration, document)) {
        if (store.move(migration) != null) {
          return migration;
        }
        giveUp(operation, migration);
      }
    }
    return null;
  }

  private boolean has(Migration migration, RawDocument document) {
    OwnedRanges owned = ownership.tables().collection(migration.namespace());
    return owned != null && owned.withOnly(List.of(migration.range())).owns(document);
  }

  private long leftOver(OperationContext operation, Migration migration) {
    try {
      return range(migration).count(store.partOf(operation));
    } catch (CommandException e) {
      return 0; // The collection, or its index, has gone.
    }
  }

  /** Forgets a migration that the config servers know of. */
  void end(OperationContext operation, Migration migration) {
    store.noteEnd(operation, migration);
    counts.end(migration.id());
    if (store.move(migration) == null
        && store.find(operation, MigrationStore.RECEPTIONS, migration.id()) == null) {
      return;
    }
    store.transactionally(
        operation,
        part -> {
          tables.delete(part, Ownership.MOVES, migration.storedId());
          tables.delete(part, MigrationStore.RECEPTIONS, migration.storedId());
        });
  }
}
