package dev.wisent.conformance.compatibility;

import dev.wisent.base.ErrorCode;
import dev.wisent.query.match.MatchOperator;
import dev.wisent.query.match.MatchOperators;
import dev.wisent.query.schema.SchemaKeyword;
import dev.wisent.query.schema.SchemaKeywords;
import dev.wisent.query.update.UpdateOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes docs/compatibility.md. */
final class CompatibilityPage {
  private record Line(Checklist.Row row, Status status) {}

  private final Probes probes;
  private final CommandColumns columns;
  private final Map<String, MatchOperator> matchOperators = new HashMap<>();
  private final Map<String, SchemaKeyword> keywords = new HashMap<>();
  private final Map<String, UpdateOperators.Row> updateOperators = new HashMap<>();

  CompatibilityPage(Probes probes, CommandColumns columns) {
    this.probes = probes;
    this.columns = columns;
    MatchOperators.rows().forEach(row -> matchOperators.put(row.name(), row));
    SchemaKeywords.rows().forEach(row -> keywords.put(row.name(), row));
    UpdateOperators.rows()
        .forEach(row -> updateOperators.put(kindText(row.kind()) + " " + row.name(), row));
  }

  private static String kindText(UpdateOperators.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String text() {
    Map<Checklist, List<Line>> lists = new EnumMap<>(Checklist.class);
    for (Checklist checklist : Checklist.values()) {
      lists.put(
          checklist,
          checklist.rows().stream().map(row -> new Line(row, status(checklist, row))).toList());
    }
    var out = new StringBuilder();
    out.append("# Compatibility with MongoDB 8.0\n\n");
    out.append(
        "What MongoDB has, and whether it is here. This page is generated: a test asks the tables"
            + " that the\nserver works with, and fails if the page says something else. To write it"
            + " anew:\n`mvn -pl test/conformance -am test -Dtest=CompatibilityPageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dwisent.compatibility.write=true`.\n\n");
    out.append(
        "*Planned* and *refused* things are answered with a clear error, never ignored. What is"
            + " refused for good has\nits reason beside it.\n\n");
    out.append("| | rows | supported | refused | planned |\n|---|---|---|---|---|\n");
    lists.forEach((checklist, lines) -> appendSummary(checklist, lines, out));
    lists.forEach((checklist, lines) -> appendList(checklist, lines, out));
    return out.toString();
  }

  private static void appendSummary(Checklist checklist, List<Line> lines, StringBuilder out) {
    out.append("| ").append(checklist.title()).append(" | ").append(lines.size());
    for (Status status : Status.values()) {
      out.append(" | ").append(lines.stream().filter(line -> line.status() == status).count());
    }
    out.append(" |\n");
  }

  private void appendList(Checklist checklist, List<Line> lines, StringBuilder out) {
    out.append("\n## ").append(checklist.title()).append("\n\n");
    boolean ofCommands = checklist == Checklist.COMMANDS;
    List<String> headings = new ArrayList<>(List.of("name", "kind", "since"));
    if (ofCommands) {
      out.append(CommandColumns.LEGEND);
      headings.addAll(CommandColumns.HEADINGS);
    }
    out.append("| ").append(String.join(" | ", headings)).append(" | |\n");
    out.append("|---".repeat(headings.size() + 1)).append("|\n");
    for (Line line : lines) {
      Checklist.Row row = line.row();
      String text = line.status().text();
      List<String> cells = new ArrayList<>();
      cells.add("`" + row.name() + "`");
      cells.add(row.kind());
      cells.add(row.since().replace("<=", "up to "));
      if (ofCommands) {
        cells.addAll(columns.of(row.name()));
      }
      cells.add(line.status() == Status.REFUSED ? text + ": " + row.refusal() : text);
      out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
  }

  private Status status(Checklist checklist, Checklist.Row row) {
    Status status =
        switch (checklist) {
          case MATCH -> match(row);
          case UPDATE -> update(row);
          case STAGES -> probes.knows(row) ? probes.ask(row) : probes.stage(row.name());
          case EXPRESSIONS -> expression(row);
          case COMMANDS -> known(columns.supports(row.name()));
          case INDEXES -> index(row);
        };
    return status == Status.PLANNED && !row.refusal().isEmpty() ? Status.REFUSED : status;
  }

  private static Status known(boolean there) {
    return there ? Status.SUPPORTED : Status.PLANNED;
  }

  private Status match(Checklist.Row row) {
    return switch (row.kind()) {
      case "projection", "find-modifier" -> probes.ask(row);
      case "jsonschema-keyword", "jsonschema-rejected" ->
          known(keywords.get(row.name()).support() == SchemaKeyword.Support.SUPPORTED);
      // An argument is there where its operator is.
      case "text-argument" -> operator("$text");
      case "geo-argument" ->
          row.name().equals("$uniqueDocs")
              ? Status.PLANNED
              : operator(row.name().endsWith("Distance") ? "$near" : "$geoWithin");
      default -> operator(row.name());
    };
  }

  private Status operator(String name) {
    MatchOperator operator = matchOperators.get(name);
    return known(operator != null && operator.support() == MatchOperator.Support.SUPPORTED);
  }

  private Status update(Checklist.Row row) {
    if (probes.knows(row)) {
      return probes.ask(row);
    }
    UpdateOperators.Row operator = updateOperators.get(row.kind() + " " + row.name());
    return known(operator != null && operator.support() == UpdateOperators.Support.YES);
  }

  private Status expression(Checklist.Row row) {
    return switch (row.kind()) {
      case "accumulator" -> probes.accumulator(row.name());
      case "window" -> probes.window(row.name());
      case "system-variable" ->
          probes.knows(row) ? probes.ask(row) : probes.expression("'" + row.name() + "'");
      default -> probes.expression("{'" + row.name() + "': []}");
    };
  }

  private Status index(Checklist.Row row) {
    if (row.kind().equals("conflict-code")) {
      return known(
          Arrays.stream(ErrorCode.values()).anyMatch(code -> code.codeName().equals(row.name())));
    }
    return probes.knows(row) ? probes.ask(row) : Status.PLANNED;
  }
}
