package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A node with a store. */
final class TestNode implements AutoCloseable {
  final String id;
  final StorageEngine engine;
  final StoreApplier applier;

  /** How far the clock of this node is ahead. */
  final AtomicLong aheadNanos = new AtomicLong();

  final ClusterClock clock = new ClusterClock(Clock.system());
  final List<Leadership> changes = new CopyOnWriteArrayList<>();
  final RatisNode raft;

  /** How many changes of leadership the listener still fails to follow. */
  final AtomicInteger listenerFailures = new AtomicInteger();

  private volatile long begun = -1;

  TestNode(String id, Path directory, UnaryOperator<RaftOptions> options) {
    this.id = id;
    this.engine =
        StorageEngine.open(
            StorageOptions.defaults(directory)
                .withCacheBytes(8 << 20)
                .withWriteBufferBytes(1 << 20)
                .withReplicatedLog());
    this.applier = new StoreApplier(engine);
    this.raft =
        new RatisNode(
            options.apply(RaftOptions.defaults(directory.resolve("raft"), "127.0.0.1", 0)),
            applier,
            clock,
            movableClock(),
            RandomSource.system(),
            BackgroundLoops.silent(),
            Log.silent());
    raft.onLeadership(this::changed);
    try {
      raft.start();
    } catch (RuntimeException e) {
      // Or it would try again and again, on files that are being deleted.
      close();
      throw e;
    }
  }

  private Clock movableClock() {
    return new Clock() {
      @Override
      public long wallMillis() {
        return Clock.system().wallMillis();
      }

      @Override
      public long monotonicNanos() {
        return Clock.system().monotonicNanos() + aheadNanos.get();
      }
    };
  }

  private void changed(Leadership leadership) {
    if (leadership.ready() && listenerFailures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("the listener fails");
    }
    changes.add(leadership);
    if (leadership.ready()) {
      raft.log().beginTerm(leadership.term());
      begun = leadership.term();
    }
  }

  Peer peer() {
    return peer(1);
  }

  Peer peer(int priority) {
    return new Peer(id, raft.address(), priority, Peer.Role.VOTER);
  }

  CommitFuture put(String key, String value) {
    return raft.log()
        .submit(new MutationBuilder().put(Keyspace.RECORDS, bytes(key), bytes(value)).build());
  }

  String get(String key) {
    byte[] value = engine.get(Keyspace.RECORDS, bytes(key));
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /** Everything in a keyspace, to be compared. */
  TreeMap<String, String> contents(Keyspace keyspace) {
    TreeMap<String, String> contents = new TreeMap<>();
    try (KeyValueCursor cursor = engine.cursor(keyspace, null, null, false)) {
      while (cursor.next()) {
        contents.put(
            new String(cursor.copyKey(), StandardCharsets.ISO_8859_1),
            new String(cursor.copyValue(), StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }

  boolean isReady() {
    Leadership now = raft.leadership();
    return now.ready() && now.term() == begun;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    raft.close();
    engine.close();
  }
}
