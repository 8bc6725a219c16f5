package dev.wisent.server.topology;

import dev.wisent.bson.BsonBuilder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.types.ObjectId;

/**
 * The version of what hello tells: a process id and a counter that grows with each change of role.
 * Monitors of drivers wait here for the next change. Thread-safe.
 */
public final class TopologyIdentity {
  private final ObjectId processId;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long counter; // guarded by lock
  private boolean closing; // guarded by lock

  public TopologyIdentity(ObjectId processId) {
    this.processId = processId;
  }

  public ObjectId processId() {
    return processId;
  }

  public long counter() {
    lock.lock();
    try {
      return counter;
    } finally {
      lock.unlock();
    }
  }

  /** Tells waiting monitors that the role, the primary or the configuration is another one. */
  public void changed() {
    lock.lock();
    try {
      counter++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Tells waiting monitors that the server goes away. */
  public void close() {
    lock.lock();
    try {
      closing = true;
      counter++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the counter differs from the one seen, or the time is over; tells whether it does.
   */
  public boolean awaitChange(long seen, long timeoutMillis) {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      while (counter == seen && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return counter != seen;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } finally {
      lock.unlock();
    }
  }

  public void append(BsonBuilder out) {
    append(out, counter());
  }

  /** With a counter that was read before what else is told. */
  public void append(BsonBuilder out, long version) {
    out.startDocument("topologyVersion");
    out.appendObjectId("processId", processId);
    out.appendInt64("counter", version);
    out.end();
  }
}
