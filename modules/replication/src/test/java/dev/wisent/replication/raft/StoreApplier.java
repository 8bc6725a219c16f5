package dev.wisent.replication.raft;

import dev.wisent.replication.OpTime;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Applies a log to a store and counts what it was given. */
final class StoreApplier implements LogApplier {
  final StorageEngine engine;
  final AtomicInteger entries = new AtomicInteger();
  final AtomicInteger local = new AtomicInteger();
  final AtomicInteger replicated = new AtomicInteger();
  final AtomicInteger installed = new AtomicInteger();
  final AtomicInteger recoveries = new AtomicInteger();

  /** Whether there is space on the disk. */
  volatile boolean room = true;

  /** What the store fails with; null while it works. */
  volatile StorageException fault;

  /** Called before each flush. */
  volatile Runnable beforeFlush = () -> {};

  /** Whether entries are not to be applied yet. */
  volatile boolean delayed;

  /** What the last entry of the oplog is taken for: tests write none. */
  volatile OpTime newest = OpTime.NONE;

  /** How many threads wait with an entry. */
  final AtomicInteger waiting = new AtomicInteger();

  StoreApplier(StorageEngine engine) {
    this.engine = engine;
  }

  @Override
  public LogPosition applied() {
    return engine.appliedPosition();
  }

  @Override
  public OpTime newest() {
    return newest;
  }

  @Override
  public long seenIndex() {
    return engine.seenIndex();
  }

  @Override
  public void awaitDue(List<Mutation> mutations, BooleanSupplier stopped) {
    waiting.incrementAndGet();
    try {
      while (delayed) {
        if (stopped.getAsBoolean()) {
          throw new StorageException(StorageException.Kind.CLOSED, "stopped");
        }
        LockSupport.parkNanos(1_000_000);
      }
    } finally {
      waiting.decrementAndGet();
    }
  }

  @Override
  public void apply(List<Applied> mutations, LogPosition position) {
    checkFault();
    engine.apply(mutations.stream().map(each -> each.mutation().batch()).toList(), position);
    if (!mutations.isEmpty()) {
      entries.incrementAndGet();
    }
    mutations.forEach(each -> (each.local() ? local : replicated).incrementAndGet());
  }

  @Override
  public void enter(LogPosition position) {
    beforeFlush.run();
    checkFault();
    engine.enterLog(position);
  }

  @Override
  public LogPosition flush() {
    beforeFlush.run();
    checkFault();
    LogPosition position = engine.appliedPosition();
    engine.flush();
    return position;
  }

  private void checkFault() {
    StorageException current = fault;
    if (current != null) {
      throw new StorageException(current.kind(), current.getMessage(), current);
    }
  }

  @Override
  public LogPosition checkpoint(Path target) {
    engine.checkpoint(target);
    return engine.appliedPosition();
  }

  @Override
  public LogPosition outline(Path target) {
    return checkpoint(target);
  }

  @Override
  public boolean keepsData() {
    return true;
  }

  @Override
  public boolean hasRoom() {
    return room && fault == null;
  }

  @Override
  public void recover() {
    recoveries.incrementAndGet();
    if (engine.failure().isPresent()) {
      engine.reopenAfterFailure();
    }
  }

  @Override
  public void install(Path directory) {
    engine.replaceContents(directory);
    installed.incrementAndGet();
  }
}
