package dev.wisent.server.harness;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.ElectionReport;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.config.SetSettings;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.PooledNodeClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** A replica set of which tests say what it is and how far it has got. This member has id 0. */
public final class FakeReplicaSet implements ReplicaSet, AutoCloseable {
  private static final long TERM = 3;

  private final ClusterClock clock = new ClusterClock(Clock.system());
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Long> positions = new TreeMap<>(); // guarded by lock
  private final AtomicInteger confirmations = new AtomicInteger();
  private final AtomicInteger waits = new AtomicInteger();
  private long progress; // guarded by lock
  private NodeClient nodes; // guarded by lock
  private volatile boolean publishing;
  private volatile MemberState state = MemberState.PRIMARY;
  private volatile ReplicaSetConfig config;
  private volatile Set<Integer> logVoters;
  private volatile boolean confirmable = true;
  private volatile String otherPrimary;

  /** A set in which all members vote and have data. */
  public FakeReplicaSet(int members) {
    config = config(members, 0);
  }

  public static ReplicaSetConfig config(int members, int arbiters) {
    var all = new ArrayList<MemberConfig>();
    for (int i = 0; i < members + arbiters; i++) {
      boolean arbiter = i >= members;
      all.add(
          new MemberConfig(
              i,
              "localhost:" + (30_000 + i),
              arbiter,
              true,
              false,
              arbiter ? 0 : 1,
              1,
              0,
              Map.of("centre", i == 0 ? "east" : "west"),
              false));
    }
    var settings =
        new SetSettings(
            true, 2000, 10, 10_000, -1, 30_000, Map.of("bothCentres", Map.of("centre", 2)), null);
    return new ReplicaSetConfig("rs0", 1, TERM, all, settings, null);
  }

  public void config(ReplicaSetConfig changedConfig) {
    change(() -> config = changedConfig);
  }

  /** Says whose majority commits; by default those that vote by the configuration. */
  public void logVoters(Set<Integer> ids) {
    change(() -> logVoters = ids);
  }

  public void state(MemberState newState) {
    change(() -> state = newState);
  }

  /** Becomes a secondary of another primary; null for a set that has none. */
  public void follow(String primary) {
    change(
        () -> {
          otherPrimary = primary;
          state = MemberState.SECONDARY;
        });
  }

  /** Says that a member has applied everything up to a time. */
  public void applied(int member, long timestamp) {
    change(() -> positions.merge(member, timestamp, Math::max));
  }

  /** Says whether what is applied is still to be counted. */
  public void publishing(boolean unfinished) {
    change(() -> publishing = unfinished);
  }

  public void confirmable(boolean possible) {
    confirmable = possible;
  }

  public int confirmations() {
    return confirmations.get();
  }

  /** How often a thread has begun to wait for progress. */
  public int waits() {
    return waits.get();
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      progress++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String name() {
    return "rs0";
  }

  @Override
  public Optional<ReplicaSetConfig> config() {
    return Optional.ofNullable(config);
  }

  @Override
  public MemberState state() {
    return state;
  }

  @Override
  public void awaitStateShown() {}

  @Override
  public String me() {
    return "localhost:30000";
  }

  @Override
  public String primary() {
    return state == MemberState.PRIMARY ? me() : otherPrimary;
  }

  @Override
  public long term() {
    return TERM;
  }

  @Override
  public ClusterClock clock() {
    return clock;
  }

  @Override
  public OpTime lastApplied() {
    lock.lock();
    try {
      return new OpTime(positions.getOrDefault(0, 0L), TERM);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long lastAppliedWallMillis() {
    return 0;
  }

  @Override
  public List<MemberPosition> positions() {
    lock.lock();
    try {
      var all = new ArrayList<MemberPosition>();
      positions.forEach(
          (member, time) -> all.add(new MemberPosition(member, new OpTime(time, TERM))));
      return all;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Set<Integer> logVoters() {
    Set<Integer> told = logVoters;
    return told != null
        ? told
        : config.members().stream()
            .filter(MemberConfig::isVoter)
            .map(MemberConfig::id)
            .collect(Collectors.toSet());
  }

  @Override
  public ElectionReport elections() {
    var never = new ElectionReport.Calls(0, 0);
    return new ElectionReport(null, null, new ElectionReport.Counts(never, never, never, 0, 0));
  }

  @Override
  public boolean awaitProgress(long seen, long timeoutMillis) throws InterruptedException {
    waits.incrementAndGet();
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      while (progress == seen && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return progress != seen;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long progress() {
    lock.lock();
    try {
      return progress;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void checkWritable() {
    if (state != MemberState.PRIMARY) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
    }
  }

  @Override
  public void awaitApplied(long timestamp, OperationContext operation) {
    try {
      while (true) {
        long seen = progress();
        if (!publishing && Long.compareUnsigned(lastApplied().timestamp(), timestamp) >= 0) {
          return;
        }
        operation.checkNow();
        awaitProgress(seen, 20);
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  @Override
  public void confirmPrimary(OperationContext operation) {
    checkWritable();
    confirmations.incrementAndGet();
    if (!confirmable) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
    }
  }

  /** Made when the first call is. */
  @Override
  public NodeClient nodes() {
    lock.lock();
    try {
      if (nodes == null) {
        nodes =
            new PooledNodeClient(
                NodeClientOptions.plain("test"), Clock.system(), BackgroundLoops.silent());
      }
      return nodes;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (nodes != null) {
        nodes.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
