package dev.wisent.bench;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.report.Cell;
import dev.wisent.bench.report.Report.TargetCell;
import dev.wisent.bench.report.Report.TargetLine;
import dev.wisent.bench.report.Report.WorkloadResult;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.TargetUnavailableException;
import dev.wisent.bench.workload.Round;
import dev.wisent.bench.workload.Settings;
import dev.wisent.bench.workload.Subject;
import dev.wisent.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs workloads on targets. The targets take turns within each round, and the order rotates from
 * round to round. A target that fails loses that workload; everything else goes on.
 */
final class BenchRun {
  private static final int ERROR_CHARS_MAX = 240;

  private final Settings settings;
  private final Consumer<String> progress;

  BenchRun(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** A target and how far it got. */
  private static final class Contender {
    final Target target;
    final Subject subject;

    /** Set when the target did not start: what all its cells say. */
    Cell startVerdict;

    Contender(Target target, Settings settings) {
      this.target = target;
      this.subject = new Subject(target, settings);
    }
  }

  /** One contender's part in one workload. */
  private static final class Entry {
    final Contender contender;
    final List<Sample> samples = new ArrayList<>();
    Workload.Prepared prepared;
    Cell verdict;

    Entry(Contender contender) {
      this.contender = contender;
    }

    boolean running() {
      return verdict == null;
    }
  }

  /** What a run found out. */
  record Outcome(List<TargetLine> targets, List<WorkloadResult> workloads) {}

  /**
   * Starts the targets and runs everything, as often as there are passes; the last one is reported.
   * Closing the targets is left to the caller.
   */
  Outcome run(List<Target> targets, List<Workload> workloads) throws InterruptedException {
    List<Contender> contenders = new ArrayList<>();
    List<TargetLine> lines = new ArrayList<>();
    for (Target target : targets) {
      Contender contender = new Contender(target, settings);
      contenders.add(contender);
      lines.add(new TargetLine(target.name(), start(contender)));
    }
    List<WorkloadResult> results = List.of();
    for (int pass = 1; pass <= settings.passes(); pass++) {
      results = new ArrayList<>();
      for (Workload workload : workloads) {
        results.add(run(workload, contenders));
      }
    }
    return new Outcome(lines, results);
  }

  private String start(Contender contender) throws InterruptedException {
    progress.accept("starting " + contender.target.name());
    try {
      contender.target.start();
      return contender.target.description();
    } catch (InterruptedException e) {
      throw e;
    } catch (TargetUnavailableException e) {
      contender.startVerdict = new Cell.Skipped(e.getMessage());
      progress.accept(contender.target.name() + " skipped: " + e.getMessage());
      return "not available: " + e.getMessage();
    } catch (Exception e) {
      String error = "did not start: " + describe(e);
      contender.startVerdict = new Cell.Failed(error);
      progress.accept(contender.target.name() + " " + error);
      return error;
    }
  }

  private WorkloadResult run(Workload workload, List<Contender> contenders)
      throws InterruptedException {
    List<Entry> entries = contenders.stream().map(Entry::new).toList();
    for (Entry entry : entries) {
      prepare(workload, entry);
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int turn = 0; turn < entries.size(); turn++) {
        Entry entry = entries.get((turn + round - 1) % entries.size());
        attempt(workload, entry, new Round(round, settings.limit()));
      }
    }
    List<TargetCell> cells = new ArrayList<>();
    for (Entry entry : entries) {
      Cell cell = entry.running() ? new Cell.Measured(entry.samples) : entry.verdict;
      Target target = entry.contender.target;
      cells.add(new TargetCell(target.name(), target.durabilityLabel(workload.durability()), cell));
    }
    return new WorkloadResult(workload.name(), workload.summary(), workload.unit(), cells);
  }

  private void prepare(Workload workload, Entry entry) throws InterruptedException {
    Contender contender = entry.contender;
    if (contender.startVerdict != null) {
      entry.verdict = contender.startVerdict;
      return;
    }
    workload
        .unsupportedBy(contender.target)
        .ifPresent(reason -> entry.verdict = new Cell.Skipped(reason));
    if (!entry.running()) {
      return;
    }
    try {
      progress.accept("preparing %s on %s".formatted(workload.name(), contender.target.name()));
      entry.prepared = workload.prepare(contender.subject);
      if (settings.warmUp().isPresent()) {
        entry.prepared.run(new Round(0, settings.warmUp().get()));
      }
    } catch (Exception e) {
      fail(workload, entry, e);
    }
  }

  private void attempt(Workload workload, Entry entry, Round round) throws InterruptedException {
    if (!entry.running()) {
      return;
    }
    try {
      entry.contender.target.meter().awaitQuiet(settings.quietTimeout());
      Sample sample = entry.prepared.run(round);
      entry.samples.add(sample);
      progress.accept(
          "%s on %s, round %d: %,.0f %ss/s, p99 %,.0f µs, server CPU %s each %s"
              .formatted(
                  workload.name(),
                  entry.contender.target.name(),
                  round.number(),
                  sample.unitsPerSecond(),
                  workload.unit(),
                  sample.p99Micros(),
                  Double.isNaN(sample.cpuMicrosPerUnit())
                      ? "unknown"
                      : "%.1f µs".formatted(sample.cpuMicrosPerUnit()),
                  sample.extras().isEmpty() ? "" : sample.extras()));
    } catch (Exception e) {
      fail(workload, entry, e);
    }
  }

  private void fail(Workload workload, Entry entry, Exception cause) throws InterruptedException {
    if (cause instanceof InterruptedException interrupted) {
      throw interrupted;
    }
    String error =
        entry
            .contender
            .target
            .death()
            .map(death -> shorten(death + "; " + describe(cause)))
            .orElse(describe(cause));
    entry.verdict = new Cell.Failed(error);
    progress.accept(
        "%s on %s failed: %s".formatted(workload.name(), entry.contender.target.name(), error));
  }

  private static String describe(Exception e) {
    String message = e.getMessage() == null ? "" : ": " + e.getMessage();
    return shorten(e.getClass().getSimpleName() + message);
  }

  private static String shorten(String text) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.length() <= ERROR_CHARS_MAX ? line : line.substring(0, ERROR_CHARS_MAX) + "…";
  }
}
