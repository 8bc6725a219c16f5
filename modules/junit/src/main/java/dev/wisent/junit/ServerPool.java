package dev.wisent.junit;

import dev.wisent.Wisent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The servers of this JVM that classes share, one class at a time. Thread-safe. */
final class ServerPool implements AutoCloseable {
  private final Map<ServerPlan, Deque<Wisent>> idle = new HashMap<>(); // guarded by this
  private final Set<Wisent> running = new HashSet<>(); // guarded by this
  private boolean closed; // guarded by this

  /** Servers that no class uses now; the caller resets them. */
  synchronized Optional<Wisent> takeIdle(ServerPlan plan) {
    return Optional.ofNullable(idle.get(plan)).map(Deque::poll);
  }

  Wisent start(ServerPlan plan) {
    Wisent started = plan.start();
    synchronized (this) {
      if (!closed) {
        running.add(started);
        return started;
      }
    }
    started.close();
    throw new IllegalStateException("the test run has ended");
  }

  synchronized void giveBack(ServerPlan plan, Wisent servers) {
    idle.computeIfAbsent(plan, key -> new ArrayDeque<>()).push(servers);
  }

  /** Servers that cannot be reset are of no use to the next class. */
  void discard(Wisent servers) {
    synchronized (this) {
      running.remove(servers);
    }
    servers.close();
  }

  @Override
  public void close() {
    Set<Wisent> left;
    synchronized (this) {
      closed = true;
      left = new HashSet<>(running);
      running.clear();
      idle.clear();
    }
    left.forEach(Wisent::close);
  }
}
