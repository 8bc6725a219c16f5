package dev.wisent.database.collection;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.OperationContext;
import dev.wisent.database.oplog.AppliedCounts;
import dev.wisent.database.write.WriteGate;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether this node leads the replicated log that its collections live on, and what is to be done
 * when that changes. While it leads, local writers keep what is in memory true. While it does not,
 * others write, and what they have written comes in here.
 *
 * <p>The two never happen at the same time: nobody writes here before everything of earlier reigns
 * is applied, and nothing of a later reign is applied before the last local writer has left. His
 * commit must therefore not wait for something to be applied any more when the lead is lost: the
 * log fails it. Thread-safe.
 */
public final class Reigns {
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
  private OperationContext tidying; // guarded by this

  public Reigns(
      StorageEngine storage,
      CommitLog log,
      Catalog catalog,
      CatalogChanges changes,
      WriteGate gate,
      Clock clock) {
    this.storage = storage;
    this.log = log;
    this.catalog = catalog;
    this.changes = changes;
    this.gate = gate;
    this.clock = clock;
  }

  /** What others have written, and was applied here. */
  public AppliedCounts applied() {
    return applied;
  }

  /** Begins a reign: everything of those before is applied. Returns when writes are accepted. */
  public synchronized void lead(long newTerm) {
    if (gate.isOpen() && term == newTerm) {
      return;
    }
    end();
    awaitNoWriters();
    for (Collection collection : catalog.all()) {
      collection.indexes().forEach(Index::othersHaveWritten);
    }
    term = newTerm;
    writersMayBeInside = true;
    var leftovers = new Leftovers(storage, catalog);
    log.beginReign(newTerm);
    gate.open();
    tidy(leftovers);
  }

  /** Ends the reign, if there is one: writes fail from now on, also those under way. */
  public synchronized void follow() {
    end();
  }

  private void end() {
    if (!gate.isOpen()) {
      return;
    }
    gate.close();
    if (tidying != null) {
      tidying.kill(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
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

  /** Removes what earlier reigns have left behind, beside the writes of this one. */
  private void tidy(Leftovers leftovers) {
    OperationContext operation = OperationContext.internal(clock);
    tidying = operation;
    Thread.ofPlatform()
        .daemon()
        .name("leftovers")
        .start(
            () -> {
              try {
                leftovers.remove(changes, log, operation);
              } catch (CommandException | StorageException e) {
                // The lead is lost or the node stops: the next reign begins with the same.
              }
            });
  }

  /**
   * Has mutations written that no local writer waits for, and keeps everything in memory true. For
   * one thread.
   *
   * @param entryTerm the reign that they were written in
   * @param write writes them to the store, in one step
   */
  public void apply(List<Mutation> mutations, long entryTerm, Runnable write) {
    beforeOthersWrite(entryTerm);
    long start = clock.monotonicNanos();
    new ForeignEntry(catalog, storage, mutations, applied).write(write, publishing);
    long bytes = 0;
    for (Mutation mutation : mutations) {
      bytes += mutation.sizeBytes();
    }
    applied.batch(bytes, clock.monotonicNanos() - start);
  }

  /**
   * Returns when every definition that the store has can be found. A collection that another member
   * has made is in the store a moment before it is known here; who was told that it is there must
   * not miss it.
   */
  @SuppressWarnings("LockNotBeforeTry") // Nothing is done with it: who gets it, has waited.
  public void awaitPublished() {
    if (publishing.isLocked()) {
      publishing.lock();
      publishing.unlock();
    }
  }

  private synchronized void beforeOthersWrite(long entryTerm) {
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
  }
}
