package dev.wisent.bench.report;

import static dev.wisent.bench.report.MarkdownTable.Column.figure;
import static dev.wisent.bench.report.MarkdownTable.Column.text;

import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.report.MarkdownTable.Column;
import dev.wisent.bench.report.Report.TargetCell;
import dev.wisent.bench.report.Report.WorkloadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes a report as Markdown: machine and settings, targets, figures, ratios. */
public final class MarkdownReport {
  private final Report report;

  private MarkdownReport(Report report) {
    this.report = report;
  }

  public static String write(Report report) {
    return new MarkdownReport(report).write();
  }

  private String write() {
    StringBuilder out = new StringBuilder();
    out.append("## Benchmark\n\n");
    report.facts().forEach((name, value) -> out.append("- %s: %s\n".formatted(name, value)));
    report
        .targets()
        .forEach(target -> out.append("- %s: %s\n".formatted(target.name(), target.description())));
    out.append("\nMedians of the rounds. CPU is the time of the server's processes.");
    out.append(" RSS and disk are those at the end of the run, all collections together.");
    out.append(" Ratios are %s's figure divided by the row's.\n\n".formatted(report.baseline()));
    out.append(figures());
    List<String> peers = peers();
    if (!peers.isEmpty()) {
      out.append(
          "\n%s compared: throughput (more is better) and server CPU per operation"
              .formatted(report.baseline()));
      out.append(" (less is better), as a multiple of the peer's.\n\n");
      out.append(ratios(peers));
    }
    return out.toString();
  }

  private List<String> peers() {
    return report.targets().stream()
        .map(Report.TargetLine::name)
        .filter(name -> !name.equals(report.baseline()))
        .toList();
  }

  private String figures() {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                text("workload"),
                text("target"),
                text("durability"),
                figure("ops/s"),
                figure("p50 µs"),
                figure("p99 µs"),
                figure("CPU µs/op"),
                figure("RSS MiB"),
                figure("disk MiB"),
                figure("ops/s ratio"),
                figure("CPU ratio"),
                text("remarks")));
    for (WorkloadResult workload : report.workloads()) {
      Optional<Sample> baseline = median(workload, report.baseline());
      for (TargetCell cell : workload.cells()) {
        table.row(figureRow(workload, cell, baseline));
      }
    }
    return table.toString();
  }

  private List<String> figureRow(
      WorkloadResult workload, TargetCell target, Optional<Sample> baseline) {
    List<String> row = new ArrayList<>();
    row.add(workload.name());
    row.add(target.target());
    row.add(target.durability());
    switch (target.cell()) {
      case Cell.Measured measured -> {
        Sample median = measured.median();
        row.add(Figures.number(median.unitsPerSecond()));
        row.add(Figures.number(median.p50Micros()));
        row.add(Figures.number(median.p99Micros()));
        row.add(Figures.number(median.cpuMicrosPerUnit()));
        row.add(Figures.mebibytes(median.residentBytes()));
        row.add(Figures.mebibytes(median.diskBytes()));
        boolean peer = !target.target().equals(report.baseline());
        Optional<Sample> compared = baseline.filter(_ -> peer);
        row.add(compared.map(own -> throughputRatio(own, median)).orElse(Figures.NONE));
        row.add(compared.map(own -> cpuRatio(own, median)).orElse(Figures.NONE));
        row.add(remarks(workload, median));
      }
      case Cell.Failed failed -> addFailure(row, "failed", failed.error());
      case Cell.Skipped skipped -> addFailure(row, Figures.NONE, "not run: " + skipped.reason());
    }
    return row;
  }

  private static void addFailure(List<String> row, String mark, String remark) {
    row.add(mark);
    for (int i = 0; i < 7; i++) {
      row.add(Figures.NONE);
    }
    row.add(remark);
  }

  private static String remarks(WorkloadResult workload, Sample median) {
    List<String> remarks = new ArrayList<>();
    if (!workload.unit().equals("operation")) {
      remarks.add("per " + workload.unit());
    }
    median.extras().forEach((name, value) -> remarks.add(name + ": " + Figures.number(value)));
    return String.join("; ", remarks);
  }

  private String ratios(List<String> peers) {
    List<Column> columns = new ArrayList<>();
    columns.add(text("workload"));
    for (String peer : peers) {
      columns.add(figure("ops/s ÷ " + peer));
      columns.add(figure("CPU ÷ " + peer));
    }
    columns.add(text("what"));
    MarkdownTable table = new MarkdownTable(columns);
    for (WorkloadResult workload : report.workloads()) {
      Optional<Sample> baseline = median(workload, report.baseline());
      List<String> row = new ArrayList<>();
      row.add(workload.name());
      for (String peer : peers) {
        Optional<Sample> other = median(workload, peer);
        row.add(ratio(baseline, other, MarkdownReport::throughputRatio));
        row.add(ratio(baseline, other, MarkdownReport::cpuRatio));
      }
      row.add(workload.summary());
      table.row(row);
    }
    return table.toString();
  }

  private interface RatioText {
    String of(Sample baseline, Sample peer);
  }

  private static String ratio(Optional<Sample> baseline, Optional<Sample> peer, RatioText text) {
    return baseline.isPresent() && peer.isPresent()
        ? text.of(baseline.get(), peer.get())
        : Figures.NONE;
  }

  private static String throughputRatio(Sample baseline, Sample peer) {
    return Figures.ratio(baseline.unitsPerSecond(), peer.unitsPerSecond());
  }

  private static String cpuRatio(Sample baseline, Sample peer) {
    return Figures.ratio(baseline.cpuMicrosPerUnit(), peer.cpuMicrosPerUnit());
  }

  private static Optional<Sample> median(WorkloadResult workload, String target) {
    return workload.cells().stream()
        .filter(cell -> cell.target().equals(target))
        .map(TargetCell::cell)
        .filter(Cell.Measured.class::isInstance)
        .map(cell -> ((Cell.Measured) cell).median())
        .findFirst();
  }
}
