package dev.wisent.bench.report;

import java.util.List;
import java.util.Map;

/**
 * The outcome of a benchmark.
 *
 * @param facts about machine and settings, by name
 * @param baseline the target whose ratios to the others are printed
 */
public record Report(
    Map<String, String> facts,
    String baseline,
    List<TargetLine> targets,
    List<WorkloadResult> workloads) {

  public Report {
    targets = List.copyOf(targets);
    workloads = List.copyOf(workloads);
  }

  /** Whether some target failed in some workload. */
  public boolean hasFailures() {
    return workloads.stream()
        .flatMap(workload -> workload.cells().stream())
        .anyMatch(cell -> cell.cell() instanceof Cell.Failed);
  }

  /** What a target is, or why it did not start. */
  public record TargetLine(String name, String description) {}

  /**
   * One workload on all targets.
   *
   * @param cells in the order of the targets
   */
  public record WorkloadResult(String name, String summary, String unit, List<TargetCell> cells) {
    public WorkloadResult {
      cells = List.copyOf(cells);
    }
  }

  /**
   * @param durability how this target gave the durability that the workload asks for
   */
  public record TargetCell(String target, String durability, Cell cell) {}
}
