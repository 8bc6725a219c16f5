package dev.wisent.conformance.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What MongoDB 8.0 has, as a list in the resources. */
enum Checklist {
  MATCH("match-operators", "Filters and projections"),
  UPDATE("update-operators", "Updates"),
  STAGES("aggregation-stages", "Stages of pipelines"),
  EXPRESSIONS("aggregation-expressions", "Expressions, accumulators and window functions"),
  COMMANDS("commands", "Commands"),
  INDEXES("index-types", "Indexes");

  /**
   * One line of a list.
   *
   * @param refusal why it will not be there; empty where it will
   */
  record Row(String name, String kind, String since, String refusal) {}

  private final String resource;
  private final String title;

  Checklist(String resource, String title) {
    this.resource = resource;
    this.title = title;
  }

  String title() {
    return title;
  }

  List<Row> rows() {
    return lines(resource).stream()
        .map(cells -> new Row(cells[0], cells[1], cells[2], cells[3]))
        .toList();
  }

  /** The lines of a table in the resources, without its head. */
  static List<String[]> lines(String resource) {
    String path = "/checklists/" + resource + ".tsv";
    try (InputStream in = Checklist.class.getResourceAsStream(path)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().skip(1).map(line -> line.split("\t", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }
}
