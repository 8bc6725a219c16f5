package dev.wisent.database.changestream;

import dev.wisent.operation.Namespace;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/**
 * The streams that wait for entries, by what they wait for: an entry is not compared with every one
 * of them. The caller holds the lock of the conditions.
 */
final class Waiters {
  private final Map<Namespace, Set<Waiter>> ofCollections = new HashMap<>();
  private final Set<Waiter> ofMore = new LinkedHashSet<>();
  private final Set<Waiter> all = new LinkedHashSet<>();

  /** A stream that waits. */
  static final class Waiter {
    private final StreamScope scope;
    private final Condition condition;
    private boolean woken;

    private Waiter(StreamScope scope, Condition condition) {
      this.scope = scope;
      this.condition = condition;
    }

    boolean isWoken() {
      return woken;
    }

    /** What is signalled when the stream may go on. */
    Condition condition() {
      return condition;
    }

    void wake() {
      if (!woken) {
        woken = true;
        condition.signal();
      }
    }
  }

  Waiter add(StreamScope scope, Condition condition) {
    var waiter = new Waiter(scope, condition);
    all.add(waiter);
    group(waiter).add(waiter);
    return waiter;
  }

  private Set<Waiter> group(Waiter waiter) {
    return waiter.scope.isCollection()
        ? ofCollections.computeIfAbsent(
            new Namespace(waiter.scope.database(), waiter.scope.collection()),
            any -> new LinkedHashSet<>())
        : ofMore;
  }

  void remove(Waiter waiter) {
    all.remove(waiter);
    Set<Waiter> group = group(waiter);
    group.remove(waiter);
    if (group.isEmpty() && group != ofMore) {
      ofCollections.remove(new Namespace(waiter.scope.database(), waiter.scope.collection()));
    }
  }

  /** Wakes those that an entry may concern. */
  void wake(TailEntry entry) {
    if (entry.namespaces() == null) {
      wakeAll();
      return;
    }
    for (Namespace namespace : entry.namespaces()) {
      ofCollections.getOrDefault(namespace, Set.of()).forEach(Waiter::wake);
    }
    for (Waiter waiter : ofMore) {
      if (entry.concerns(waiter.scope)) {
        waiter.wake();
      }
    }
  }

  /** Wakes those that a router merges with the streams of other shards. */
  void wakeMerged() {
    for (Waiter waiter : all) {
      if (waiter.scope.merged()) {
        waiter.wake();
      }
    }
  }

  void wakeAll() {
    all.forEach(Waiter::wake);
  }

  /** Has one of them look around, if there is one. */
  void wakeOne() {
    if (!all.isEmpty()) {
      all.iterator().next().condition.signal();
    }
  }
}
