package dev.wisent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.machine.Host;
import dev.wisent.simulation.machine.Machine;
import dev.wisent.simulation.machine.Preemption;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Threads, time and whole clusters do the same again for the same seed, and else another thing. */
class ReplayTest {
  @BeforeAll
  static void prepare() {
    SimulatedCluster.prepareJvm();
  }

  /** Eight threads that take turns at a lock, and write down who was when. */
  private static List<String> turns(long seed) {
    var order = new ArrayList<String>();
    try (Machine machine = new Machine(seed, Preemption.NONE)) {
      Host host = machine.host("host");
      var lock = new ReentrantLock();
      Condition never = lock.newCondition();
      var ended = new CompletableFuture<Void>();
      for (int i = 0; i < 8; i++) {
        String name = "thread" + i;
        host.start(
            name,
            () -> {
              try {
                for (int turn = 0; turn < 3; turn++) {
                  lock.lock();
                  try {
                    long left = never.awaitNanos(TimeUnit.SECONDS.toNanos(1));
                    order.add(name + " at " + machine.nowNanos() + " left " + left);
                  } finally {
                    lock.unlock();
                  }
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              if (order.size() == 24) {
                ended.complete(null);
              }
            });
      }
      assertThat(machine.runUntil(ended::isDone, TimeUnit.MINUTES.toNanos(1))).isTrue();
      assertThat(machine.nowNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    }
    return order;
  }

  @Test
  void threadsRunInTheOrderOfTheSeed() {
    assertThat(turns(1)).isEqualTo(turns(1)).isNotEqualTo(turns(2));
  }

  @Test
  void threadsOfAKilledProcessNeverRunAgain() {
    try (Machine machine = new Machine(1, Preemption.NONE)) {
      Host host = machine.host("host");
      var steps = new ArrayList<Long>();
      host.start(
          "counts",
          () -> {
            while (true) {
              steps.add(machine.nowNanos());
              java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
          });
      machine.runUntil(() -> steps.size() == 3, TimeUnit.SECONDS.toNanos(1));
      host.kill();
      machine.runUntil(() -> false, TimeUnit.SECONDS.toNanos(1));
      assertThat(steps).hasSize(3);
    }
  }

  private static WeakReference<Machine> endedMachine() {
    try (Machine machine = new Machine(1, Preemption.NONE)) {
      var waiting = new ArrayList<Machine>();
      machine
          .host("host")
          .start(
              "waits",
              () -> {
                waiting.add(machine);
                new CompletableFuture<Void>().join();
              });
      machine.runUntil(() -> !waiting.isEmpty(), TimeUnit.SECONDS.toNanos(1));
      return new WeakReference<>(machine);
    }
  }

  /** Or some hundred seeds would fill the heap. */
  @Test
  void nothingIsLeftOfAMachineThatIsClosed() {
    WeakReference<Machine> ended = endedMachine();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (ended.get() != null && System.nanoTime() < end) {
      System.gc();
    }
    assertThat(ended.get()).isNull();
  }
}
