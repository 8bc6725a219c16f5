package dev.wisent.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bench.measure.Limit;
import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.report.Cell;
import dev.wisent.bench.report.Report.TargetCell;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Store;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.WireAddress;
import dev.wisent.bench.workload.Settings;
import dev.wisent.bench.workload.Subject;
import dev.wisent.bench.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BenchRunTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void targetsTakeTurnsInEveryRound() throws Exception {
    run(List.of(new FakeTarget("a"), new FakeTarget("b")), new FakeWorkload("w", "nobody"));
    assertThat(calls).containsExactly("w a 0", "w b 0", "w a 1", "w b 1", "w b 2", "w a 2");
  }

  @Test
  void aFailureLosesOneCellOnly() throws Exception {
    BenchRun.Outcome outcome =
        run(
            List.of(new FakeTarget("a"), new FakeTarget("b")),
            new FakeWorkload("v", "a"),
            new FakeWorkload("w", "nobody"));
    assertThat(cells(outcome, 0))
        .satisfiesExactly(
            cell -> assertThat(((Cell.Failed) cell).error()).contains("v does not like a"),
            cell -> assertThat(cell).isInstanceOf(Cell.Measured.class));
    assertThat(cells(outcome, 1)).allMatch(Cell.Measured.class::isInstance);
    assertThat(((Cell.Measured) cells(outcome, 1).get(0)).rounds()).hasSize(2);
  }

  @Test
  void aTargetThatDoesNotStartFailsInEveryWorkload() throws Exception {
    Target broken =
        new FakeTarget("broken") {
          @Override
          public void start() {
            throw new IllegalStateException("port in use");
          }
        };
    BenchRun.Outcome outcome =
        run(List.of(broken, new FakeTarget("b")), new FakeWorkload("w", "nobody"));
    assertThat(((Cell.Failed) cells(outcome, 0).get(0)).error()).contains("port in use");
    assertThat(cells(outcome, 0).get(1)).isInstanceOf(Cell.Measured.class);
    assertThat(outcome.targets().get(0).description()).contains("port in use");
  }

  @Test
  void onlyTheLastPassIsReported() throws Exception {
    BenchRun.Outcome outcome =
        run(
            2,
            List.of(new FakeTarget("a")),
            new FakeWorkload("v", "nobody"),
            new FakeWorkload("w", "nobody"));
    assertThat(calls)
        .containsExactly(
            "v a 0", "v a 1", "v a 2", "w a 0", "w a 1", "w a 2", //
            "v a 0", "v a 1", "v a 2", "w a 0", "w a 1", "w a 2");
    assertThat(outcome.workloads()).hasSize(2);
    assertThat(((Cell.Measured) cells(outcome, 0).get(0)).rounds()).hasSize(2);
  }

  private BenchRun.Outcome run(List<Target> targets, Workload... workloads) throws Exception {
    return run(1, targets, workloads);
  }

  private BenchRun.Outcome run(int passes, List<Target> targets, Workload... workloads)
      throws Exception {
    Limit limit = Limit.ofTime(Duration.ofSeconds(1));
    Settings settings =
        new Settings(10, limit, Optional.of(limit), Duration.ZERO, 1, passes, 2, 42, 1);
    return new BenchRun(settings, _ -> {}).run(targets, List.of(workloads));
  }

  private static List<Cell> cells(BenchRun.Outcome outcome, int workload) {
    return outcome.workloads().get(workload).cells().stream().map(TargetCell::cell).toList();
  }

  private final class FakeWorkload implements Workload {
    private final String name;
    private final String failsOn;

    FakeWorkload(String name, String failsOn) {
      this.name = name;
      this.failsOn = failsOn;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String summary() {
      return "";
    }

    @Override
    public Durability durability() {
      return Durability.READ_ONLY;
    }

    @Override
    public Prepared prepare(Subject subject) {
      String target = subject.target().name();
      return round -> {
        calls.add(name + " " + target + " " + round.number());
        if (target.equals(failsOn)) {
          throw new IllegalStateException(name + " does not like " + target);
        }
        return new Sample(1, 1, 1, 1, 1, 1, 1, Map.of());
      };
    }
  }

  private static class FakeTarget implements Target {
    private final String name;

    FakeTarget(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void start() {}

    @Override
    public Store store() {
      throw new UnsupportedOperationException("the fake workload stores nothing");
    }

    @Override
    public Meter meter() {
      return new Meter(Optional.empty(), Optional.empty());
    }

    @Override
    public String description() {
      return name;
    }

    @Override
    public String durabilityLabel(Durability durability) {
      return "";
    }

    @Override
    public Optional<WireAddress> wireAddress() {
      return Optional.empty();
    }

    @Override
    public Optional<String> death() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
