package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.index.Index;
import dev.wisent.database.oplog.AppliedCounts;
import dev.wisent.database.snapshot.PreparedTransactions;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether this node is the leader of the replicated log of its collections, and the steps of a
 * change of leadership. On the leader, writing operations keep caches, counters and definitions in
 * memory correct. On a follower, {@link #apply} does, from the bytes of replicated entries.
 *
 * <p>The two never overlap: a local write starts after everything of earlier terms is applied, and
 * an entry of a later term is applied after the last local writer has left. When leadership is
 * lost, the log therefore fails the commits that wait. Thread-safe.
 */
public final class LeadershipState {
  private final StorageEngine storage;
  private final CommitLog log;
  private final Catalog catalog;
  private final CatalogChanges changes;
  private final WriteGate gate;
  private final Clock clock;
  private final AppliedCounts applied = new AppliedCounts();

  /** Held from the write of new definitions until they are published. */
  private final ReentrantLock publishing = new ReentrantLock();

  private long term = -1; // guarded by this
  private boolean writersMayBeInside; // guarded by this
  private OperationContext removal; // guarded by this
  private final PreparedTransactions prepared;
  private volatile Runnable onBegin = () -> {};
  private volatile Runnable onEnd = () -> {};
  private volatile Runnable onReplaced = () -> {};

  public LeadershipState(
      StorageEngine storage,
      CommitLog log,
      Catalog catalog,
      CatalogChanges changes,
      WriteGate gate,
      PreparedTransactions prepared,
      Clock clock) {
    this.prepared = prepared;
    this.storage = storage;
    this.log = log;
    this.catalog = catalog;
    this.changes = changes;
    this.gate = gate;
    this.clock = clock;
  }

  /** Statistics of the replicated entries that were applied here. */
  public AppliedCounts applied() {
    return applied;
  }

  /** Sets what is told when a term as leader begins, before the gate opens. */
  public void onBegin(Runnable listener) {
    onBegin = listener;
  }

  /** Sets what is told when the store holds other data. */
  public void onReplaced(Runnable listener) {
    onReplaced = listener;
  }

  /** Sets what is told when a term as leader ends, after the gate is closed. */
  public void onEnd(Runnable listener) {
    onEnd = listener;
  }

  /** Starts a term as leader: all earlier entries are applied. Returns when writes are accepted. */
  public synchronized void becomeLeader(long newTerm) {
    if (gate.isOpen() && term == newTerm) {
      return;
    }
    end();
    awaitNoWriters();
    for (Collection collection : catalog.all()) {
      collection.indexes().forEach(Index::writtenByOtherLeader);
    }
    term = newTerm;
    writersMayBeInside = true;
    var orphans = new OrphanedIdents(storage, catalog);
    onBegin.run();
    log.beginTerm(newTerm);
    gate.open();
    removeOrphans(orphans);
  }

  /** Ends leadership, if there is one: writes fail from now on, also those in progress. */
  public synchronized void becomeFollower() {
    end();
  }

  private void end() {
    if (!gate.isOpen()) {
      return;
    }
    gate.close();
    onEnd.run();
    if (removal != null) {
      removal.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    }
    for (Collection collection : catalog.all()) {
      for (IndexBuild build : collection.builds()) {
        build.operation().kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
      }
    }
  }

  private void awaitNoWriters() {
    if (writersMayBeInside) {
      gate.awaitEmpty();
      writersMayBeInside = false;
    }
  }

  /** Removes what earlier terms have left behind, concurrently with writes. */
  private void removeOrphans(OrphanedIdents orphans) {
    OperationContext operation = OperationContext.internal(clock);
    removal = operation;
    Thread.ofPlatform()
        .daemon()
        .name("orphaned-idents")
        .start(
            () -> {
              try {
                orphans.remove(changes, log, operation);
              } catch (CommandException | StorageException | LeadershipException e) {
                // Leadership is lost or the node stops: the next leader starts with the same
                // removal.
              }
            });
  }

  /**
   * Writes mutations without a local writer, and brings everything in memory up to date. For one
   * thread.
   *
   * @param entryTerm the term that they were written in
   * @param write writes them to the store, in one step
   */
  public void apply(List<Mutation> mutations, long entryTerm, Runnable write) {
    beforeReplicatedWrite(entryTerm);
    long start = clock.monotonicNanos();
    new ReplicatedEntry(catalog, storage, mutations, applied, prepared).write(write, publishing);
    long bytes = 0;
    for (Mutation mutation : mutations) {
      bytes += mutation.sizeBytes();
    }
    applied.batch(bytes, clock.monotonicNanos() - start);
  }

  /**
   * Waits until every definition that the store has can be found; false when the time is over. A
   * collection that another member has made is in the store a moment before it is known here; a
   * client that knows of it must not miss it.
   */
  public boolean awaitPublished(long timeoutNanos) throws InterruptedException {
    if (!publishing.isLocked()) {
      return true;
    }
    // Acquiring the lock is the wait.
    boolean acquired = publishing.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
    if (acquired) {
      publishing.unlock();
    }
    return acquired;
  }

  private synchronized void beforeReplicatedWrite(long entryTerm) {
    if (entryTerm > term) {
      end();
    }
    if (!gate.isOpen()) {
      awaitNoWriters();
    }
  }

  /**
   * Has a store without a replicated log opened again, and reads everything anew. Writes wait
   * meanwhile. Cursors that are open end.
   *
   * @param timeoutMillis how long to wait for the writes under way
   */
  public void reopenContents(Runnable reopening, long timeoutMillis) {
    gate.lock(OperationContext.internal(clock), timeoutMillis);
    try {
      catalog.replace(reopening);
    } finally {
      gate.unlock();
    }
  }

  /**
   * Has the whole store replaced by what another member has, and reads everything anew. Cursors
   * that are open end.
   */
  public synchronized void replaceContents(Runnable replacement) {
    end();
    awaitNoWriters();
    catalog.replace(replacement);
    onReplaced.run();
  }
}
