package dev.wisent.bench.tools;

import dev.wisent.bench.report.Figures;
import dev.wisent.bench.report.MarkdownTable;
import dev.wisent.bench.report.MarkdownTable.Column;
import java.util.List;

/**
 * What a step has taken.
 *
 * @param clientSeconds CPU of the tool, or of the driver
 * @param serverSeconds CPU of the server; NaN where it cannot be seen
 */
public record ToolCost(String step, double seconds, double clientSeconds, double serverSeconds) {
  private static final double MEGABYTE = 1e6;

  private double cpu() {
    return clientSeconds + serverSeconds;
  }

  /** A table of steps, each beside the one that it is compared with. */
  public static String table(List<ToolCost> steps, long documents, long bytes) {
    var table =
        new MarkdownTable(
            List.of(
                Column.text("step"),
                Column.figure("seconds"),
                Column.figure("documents/s"),
                Column.figure("MB/s"),
                Column.figure("client CPU s"),
                Column.figure("server CPU s"),
                Column.figure("time ratio"),
                Column.figure("CPU ratio")));
    ToolCost compared = null;
    for (ToolCost step : steps) {
      boolean plain = !step.step().startsWith("wisent ");
      compared = plain ? step : compared;
      table.row(
          List.of(
              step.step(),
              Figures.number(step.seconds()),
              Figures.number(documents / step.seconds()),
              Figures.number(bytes / MEGABYTE / step.seconds()),
              Figures.number(step.clientSeconds()),
              Figures.number(step.serverSeconds()),
              plain ? Figures.NONE : Figures.ratio(step.seconds(), compared.seconds()),
              plain ? Figures.NONE : Figures.ratio(step.cpu(), compared.cpu())));
    }
    return table.toString();
  }
}
