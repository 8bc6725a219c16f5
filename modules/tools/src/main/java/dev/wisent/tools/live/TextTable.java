package dev.wisent.tools.live;

import java.util.ArrayList;
import java.util.List;

/** Rows below names of columns; as wide as the widest value so far. For one thread. */
final class TextTable {
  private final List<String> names;
  private final int[] widths;

  TextTable(List<String> names) {
    this.names = List.copyOf(names);
    this.widths = names.stream().mapToInt(String::length).toArray();
  }

  String header() {
    return line(names);
  }

  /** Returns the lines, of which wider values make all following ones wider. */
  List<String> lines(List<List<String>> rows) {
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  private String line(List<String> values) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(i == 0 ? "" : " ");
      line.append(" ".repeat(Math.max(0, widths[i] - values.get(i).length())))
          .append(values.get(i));
    }
    return line.toString();
  }
}
