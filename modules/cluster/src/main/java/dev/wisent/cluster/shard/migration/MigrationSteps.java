package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** How long the steps of a migration have taken on one of its shards. Thread-safe. */
final class MigrationSteps {
  static final List<String> OF_DONOR =
      List.of("count", "prepare", "clone", "catchUp", "reserve", "criticalSection", "deliver");
  static final List<String> OF_RECIPIENT =
      List.of("prepare", "clone", "catchUp", "sessions", "ready", "commit");

  private final List<String> names;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final long[] nanos; // guarded by the lock
  private int current = -1; // guarded by the lock
  private long sinceNanos; // guarded by the lock

  MigrationSteps(List<String> names, Clock clock) {
    this.names = names;
    this.clock = clock;
    this.nanos = new long[names.size()];
  }

  /** Ends the step that is under way, and begins or goes on with another one. */
  void enter(String name) {
    lock.lock();
    try {
      pass();
      current = names.indexOf(name);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the step that is under way. */
  void leave() {
    lock.lock();
    try {
      pass();
      current = -1;
    } finally {
      lock.unlock();
    }
  }

  private void pass() {
    long now = clock.monotonicNanos();
    if (current >= 0) {
      nanos[current] += now - sinceNanos;
    }
    sinceNanos = now;
  }

  /** The step that is under way; null where none is. */
  String current() {
    lock.lock();
    try {
      return current < 0 ? null : names.get(current);
    } finally {
      lock.unlock();
    }
  }

  /** Milliseconds by the name of the step, in order. */
  RawDocument toDocument() {
    lock.lock();
    try {
      pass();
      var out = new BsonBuilder();
      for (int i = 0; i < nanos.length; i++) {
        out.appendInt64(names.get(i), TimeUnit.NANOSECONDS.toMillis(nanos[i]));
      }
      return out.toDocument();
    } finally {
      lock.unlock();
    }
  }
}
