package dev.wisent.replication.member;

import dev.wisent.base.Clock;
import dev.wisent.replication.raft.LogApplier;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * On a member with {@code secondaryDelaySecs}, applies what is in the log only when it is that old.
 * The log itself is here at once, so the delayed member counts for majorities as any other. On
 * other members it lets everything pass.
 */
public final class DelayedApplier extends ForwardingApplier implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;

  private final LogApplier inner;
  private final LongSupplier delaySeconds;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private boolean closed; // guarded by lock

  /**
   * @param delaySeconds asked again and again, for it may change while something waits
   */
  public DelayedApplier(LogApplier inner, LongSupplier delaySeconds, Clock clock) {
    this.inner = inner;
    this.delaySeconds = delaySeconds;
    this.clock = clock;
  }

  @Override
  LogApplier inner() {
    return inner;
  }

  @Override
  public void awaitDue(List<Mutation> mutations, BooleanSupplier stopped) {
    if (delaySeconds.getAsLong() > 0) {
      awaitAge(writtenMillis(mutations), stopped);
    }
    inner.awaitDue(mutations, stopped);
  }

  /** The time of the newest oplog entry; 0 if there is none. */
  private static long writtenMillis(List<Mutation> mutations) {
    long newest = 0;
    for (Mutation mutation : mutations) {
      var changes = new BatchReader(mutation);
      while (changes.next()) {
        if (changes.keyspace() == Keyspace.OPLOG && changes.kind() == BatchReader.Kind.PUT) {
          newest = Math.max(newest, seconds(changes));
        }
      }
    }
    return TimeUnit.SECONDS.toMillis(newest);
  }

  /** The first half of the key is the seconds of the timestamp. */
  private static long seconds(BatchReader change) {
    long seconds = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      seconds = (seconds << 8) | (change.bytes()[change.keyOffset() + i] & 0xFF);
    }
    return seconds;
  }

  private void awaitAge(long writtenMillis, BooleanSupplier stopped) {
    lock.lock();
    try {
      while (true) {
        if (closed || stopped.getAsBoolean()) {
          throw closedException();
        }
        long delayMillis = TimeUnit.SECONDS.toMillis(delaySeconds.getAsLong());
        long leftMillis = writtenMillis + delayMillis - clock.wallMillis();
        if (leftMillis <= 0) {
          return;
        }
        closing.awaitNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(leftMillis, LOOK_MILLIS)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw closedException();
    } finally {
      lock.unlock();
    }
  }

  private static StorageException closedException() {
    return new StorageException(StorageException.Kind.CLOSED, "The delayed log is closed");
  }

  /** Whatever waits is not applied any more, but after the next start. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
