package dev.wisent.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A table whose columns line up in the source as well. */
public final class MarkdownTable {
  /** A column with the side its cells keep to: text left, figures right. */
  public record Column(String heading, boolean left) {
    public static Column text(String heading) {
      return new Column(heading, true);
    }

    public static Column figure(String heading) {
      return new Column(heading, false);
    }
  }

  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  public MarkdownTable(List<Column> columns) {
    this.columns = List.copyOf(columns);
    row(columns.stream().map(Column::heading).toList());
  }

  public void row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "row of " + cells.size() + " cells under " + columns.size() + " headings");
    }
    rows.add(cells.stream().map(MarkdownTable::escape).toList());
  }

  private static String escape(String cell) {
    return cell.replace("|", "\\|").replaceAll("\\s+", " ").strip();
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    appendRow(out, rows.getFirst());
    for (int i = 0; i < columns.size(); i++) {
      String dashes = "-".repeat(width(i) + 1);
      out.append(columns.get(i).left() ? "|:" + dashes : "|" + dashes + ":");
    }
    out.append("|\n");
    rows.stream().skip(1).forEach(row -> appendRow(out, row));
    return out.toString();
  }

  private void appendRow(StringBuilder out, List<String> row) {
    for (int i = 0; i < row.size(); i++) {
      String cell = row.get(i);
      String padding = " ".repeat(Math.max(0, width(i) - cell.length()));
      out.append("| ").append(columns.get(i).left() ? cell + padding : padding + cell).append(' ');
    }
    out.append("|\n");
  }

  private int width(int column) {
    // The last column holds remarks and errors of any length; padding it is useless.
    return column == columns.size() - 1
        ? columns.get(column).heading().length()
        : rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
