package dev.wisent.database.collection;

import dev.wisent.storage.Snapshot;
import dev.wisent.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Tells index builds which records writers have changed. Only the ids: what changed in a record a
 * build finds by comparing two snapshots. They are in memory alone, for a build does not outlive
 * the process. Thread-safe.
 */
public final class RecordWatch {
  /** Its other side is held for a moment, while a watcher takes a snapshot. */
  private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

  private volatile List<Watcher> watchers = List.of();

  /** What was changed up to a state of the store and was not told before. */
  record Changes(RecordIdSet records, Snapshot state) {}

  /** Whether changes are to be told. That does not begin while a write is under way. */
  public boolean isWatched() {
    return !watchers.isEmpty();
  }

  /** Runs a commit; a watcher's snapshot has all of it, and then the ids are told, or nothing. */
  public <T> T commit(RecordIdSet changed, Supplier<T> commit) {
    commits.readLock().lock();
    try {
      watchers.forEach(watcher -> watcher.add(changed));
      return commit.get();
    } finally {
      commits.readLock().unlock();
    }
  }

  /** The caller holds the collection's exclusive lock. */
  synchronized Watcher watch() {
    var watcher = new Watcher();
    var more = new ArrayList<>(watchers);
    more.add(watcher);
    watchers = List.copyOf(more);
    return watcher;
  }

  private synchronized void remove(Watcher watcher) {
    watchers = watchers.stream().filter(other -> other != watcher).toList();
  }

  /** The changes since the last call. */
  final class Watcher implements AutoCloseable {
    private RecordIdSet changed = new RecordIdSet(); // guarded by this

    private synchronized void add(RecordIdSet more) {
      changed.addAll(more);
    }

    private synchronized RecordIdSet take() {
      RecordIdSet taken = changed;
      changed = new RecordIdSet();
      return taken;
    }

    Changes next(StorageEngine storage) {
      commits.writeLock().lock();
      try {
        return new Changes(take(), storage.snapshot());
      } finally {
        commits.writeLock().unlock();
      }
    }

    @Override
    public void close() {
      remove(this);
    }
  }
}
