package dev.wisent.base.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.RandomSource;
import dev.wisent.base.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulatedSchedulerTest {
  private static final long START_MILLIS = 1_000_000;

  private final SimulatedScheduler scheduler = withSeed(1);
  private final List<String> runs = new ArrayList<>();

  private static SimulatedScheduler withSeed(long seed) {
    return new SimulatedScheduler(START_MILLIS, RandomSource.seeded(seed));
  }

  private Runnable note(String name) {
    return () -> runs.add(name + "@" + (scheduler.wallMillis() - START_MILLIS));
  }

  @Test
  void nothingRunsAndNoTimePassesByItself() {
    scheduler.run("a", note("a"));
    assertThat(runs).isEmpty();
    assertThat(scheduler.wallMillis()).isEqualTo(START_MILLIS);
    assertThat(scheduler.monotonicNanos()).isZero();
  }

  @Test
  void tasksRunInTheOrderOfTheirTimesAndMoveTheClock() {
    scheduler.after(Duration.ofMillis(20), "late", note("late"));
    scheduler.after(Duration.ofMillis(10), "early", note("early"));
    scheduler.run("now", note("now"));
    while (scheduler.runNext()) {
      // until none is left
    }
    assertThat(runs).containsExactly("now@0", "early@10", "late@20");
  }

  @Test
  void aTaskCanScheduleOthers() {
    scheduler.run("first", () -> scheduler.after(Duration.ofMillis(5), "second", note("second")));
    scheduler.runFor(Duration.ofMillis(5));
    assertThat(runs).containsExactly("second@5");
  }

  @Test
  void aPeriodicTaskRunsUntilItIsCancelled() {
    Scheduler.Task task = scheduler.every(Duration.ofMillis(10), "tick", note("tick"));
    scheduler.runFor(Duration.ofMillis(35));
    assertThat(runs).containsExactly("tick@10", "tick@20", "tick@30");
    assertThat(scheduler.wallMillis()).isEqualTo(START_MILLIS + 35);
    task.cancel();
    assertThat(scheduler.runNext()).isFalse();
    assertThat(runs).hasSize(3);
  }

  @Test
  void aPeriodicTaskCanCancelItself() {
    List<Scheduler.Task> tasks = new ArrayList<>();
    tasks.add(
        scheduler.every(
            Duration.ofMillis(1),
            "once",
            () -> {
              runs.add("once");
              tasks.getFirst().cancel();
            }));
    scheduler.runFor(Duration.ofMillis(10));
    assertThat(runs).containsExactly("once");
  }

  @Test
  void aCancelledTaskDoesNotRunAndDoesNotMoveTheClock() {
    scheduler.after(Duration.ofHours(1), "never", note("never")).cancel();
    assertThat(scheduler.runNext()).isFalse();
    assertThat(scheduler.wallMillis()).isEqualTo(START_MILLIS);
  }

  @Test
  void anExceptionReachesTheTestAndEndsNothing() {
    scheduler.every(
        Duration.ofMillis(1),
        "fails",
        () -> {
          throw new IllegalStateException("no");
        });
    assertThatThrownBy(scheduler::runNext).hasMessage("no");
    assertThatThrownBy(scheduler::runNext).hasMessage("no");
    assertThat(scheduler.wallMillis()).isEqualTo(START_MILLIS + 2);
  }

  @Test
  void waitsForAConditionInSimulatedTime() {
    scheduler.every(Duration.ofMinutes(1), "tick", note("tick"));
    scheduler.runUntil(() -> runs.size() == 3, Duration.ofHours(1));
    assertThat(scheduler.wallMillis()).isEqualTo(START_MILLIS + 180_000);
    assertThatThrownBy(() -> scheduler.runUntil(() -> false, Duration.ofHours(1)))
        .hasMessageContaining("tick");
    assertThat(runs).hasSize(63);
    assertThatThrownBy(() -> withSeed(1).runUntil(() -> false, Duration.ofHours(1)))
        .hasMessage("no task is left");
  }

  @Test
  void aSeedDecidesTheOrderOfTasksOfOneTime() {
    Set<List<Integer>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      List<Integer> order = orderOf(seed);
      assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
      assertThat(orderOf(seed)).isEqualTo(order);
      orders.add(order);
    }
    assertThat(orders).hasSizeGreaterThan(5);
  }

  private static List<Integer> orderOf(long seed) {
    List<Integer> order = new ArrayList<>();
    SimulatedScheduler seeded = withSeed(seed);
    for (int i = 0; i < 5; i++) {
      int number = i;
      seeded.run("task " + i, () -> order.add(number));
    }
    seeded.runFor(Duration.ZERO);
    return order;
  }
}
