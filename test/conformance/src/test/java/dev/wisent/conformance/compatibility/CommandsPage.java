package dev.wisent.conformance.compatibility;

import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Makes docs/commands.md: the rows of the tables that dispatch commands. */
final class CommandsPage {
  private static final String HEAD =
      """
      # Commands

      Every command that a server, a config server, a shard or a router of Wisent knows, for those who write drivers and tools, grant
      privileges, or look up what `listCommands` shows. The rows are those of the tables by which servers find their commands; a test
      compares this page with them. To write it anew: `mvn -pl test/conformance -am test -Dtest=CompatibilityPageTest
      -Dsurefire.failIfNoSpecifiedTests=false -Dwisent.compatibility.write=true`. What MongoDB has beside these is in
      [Compatibility](compatibility.md#commands).

      - *Nodes* have the command: `data` is a standalone or a member of a replica set, and so a shard as well; `shard` members of
        shards only; `config` a config server; `router` a router.
      - *Privilege* is what a client must be allowed to do where access control is on, with MongoDB's names of actions: on the cluster,
        the request's database, its collection, or what its arguments name.
      - *Notes* say whether the command takes the database `admin` alone, in which state a member of a replica set has to be for it (any,
        if nothing is said), and what it is in a transaction; others are refused there.

      ## For clients

      """;

  private static final String DONE_ELSEWHERE = "done by the config servers";

  private final List<List<CommandSpec>> tables;
  private final CommandColumns columns;

  CommandsPage(List<List<CommandSpec>> tables, CommandColumns columns) {
    this.tables = tables;
    this.columns = columns;
  }

  String text() {
    TreeMap<String, CommandSpec> rows = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (List<CommandSpec> table : tables) {
      table.forEach(row -> rows.merge(row.name(), row, CommandsPage::chosen));
    }
    long refused = rows.values().stream().filter(row -> !CommandColumns.isSupported(row)).count();
    var out = new StringBuilder(HEAD);
    out.append(
        "There are %d commands, and %d names that are known and refused.\n\n"
            .formatted(rows.size() - refused, refused));
    appendTable(rows.values().stream().filter(row -> !isInner(row)).toList(), out);
    out.append("\n## Between members\n\n");
    out.append(
        "The nodes of a set or a cluster send these to each other. Clients have no use for"
            + " them.\n\n");
    appendTable(rows.values().stream().filter(CommandsPage::isInner).toList(), out);
    return out.toString();
  }

  private static boolean isInner(CommandSpec row) {
    return row.name().startsWith("_");
  }

  private void appendTable(List<CommandSpec> rows, StringBuilder out) {
    out.append("| command | what it does | nodes | privilege | notes |\n");
    out.append("|---|---|---|---|---|\n");
    rows.forEach(row -> append(row, out));
  }

  /** Of two tables with a name the row of the one that has the command counts. */
  private static CommandSpec chosen(CommandSpec before, CommandSpec after) {
    return CommandColumns.isSupported(before) || !CommandColumns.isSupported(after)
        ? before
        : after;
  }

  private void append(CommandSpec row, StringBuilder out) {
    List<String> scope = columns.of(row.name());
    List<String> names = new ArrayList<>(List.of("`" + row.name() + "`"));
    row.aliases().forEach(alias -> names.add("`" + alias + "`"));
    List<String> cells =
        List.of(
            String.join(", ", names),
            escaped(help(row)),
            scope.getFirst(),
            scope.get(1),
            String.join("; ", notes(row)));
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** A router has many commands that the config servers carry out: theirs say what happens. */
  private String help(CommandSpec row) {
    String inner =
        "_configsvr"
            + row.name().substring(0, 1).toUpperCase(Locale.ROOT)
            + row.name().substring(1);
    return row.help().equals(DONE_ELSEWHERE)
        ? tables.stream()
            .flatMap(List::stream)
            .filter(each -> each.isCalled(inner))
            .findFirst()
            .map(CommandSpec::help)
            .orElse(row.help())
        : row.help();
  }

  private static List<String> notes(CommandSpec row) {
    List<String> notes = new ArrayList<>();
    if (row.is(CommandTrait.ADMIN_ONLY)) {
      notes.add("on `admin`");
    }
    switch (row.runsOn()) {
      case PRIMARY -> notes.add("primary");
      case SECONDARY_IF_ALLOWED -> notes.add("secondary, if the client allows it");
      case SECONDARY -> notes.add("secondary");
      case ANY_STATE -> {}
    }
    switch (row.scope().transaction()) {
      case NO_TRANSACTION -> {}
      case STARTS -> notes.add("in transactions");
      case CONTINUES -> notes.add("in transactions, not as their first");
      case ENDS -> notes.add("ends a transaction");
    }
    return notes;
  }

  private static String escaped(String help) {
    return help.replaceAll("([\\\\|<*_`\\[])", "\\\\$1");
  }
}
