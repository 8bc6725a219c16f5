package dev.wisent.cli;

import dev.wisent.cli.manual.Command;
import dev.wisent.cli.manual.HelpEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** {@code docs/configuration.md}: settings of files and parameters, from their tables. */
final class ConfigurationPage {
  private static final JsonWriterSettings RELAXED =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

  /** By flag, what the help of a server or a router says; these two are not in it. */
  private final Map<String, String> helps =
      new HashMap<>(
          Map.of("--nojournal", "only true: writes are journaled", "--syslog", "only file"));

  private final StringBuilder page;

  private ConfigurationPage(String head) {
    page = new StringBuilder(head);
    for (Command command : WisentMain.commands()) {
      if (List.of("server", "router").contains(command.name())) {
        for (var section : command.help().sections()) {
          section.entries().forEach(this::remember);
        }
      }
    }
  }

  /**
   * @param parameters what {@code getParameter} says of all of them, with details
   */
  static String of(String head, Document parameters) {
    var writer = new ConfigurationPage(head);
    writer.settings();
    writer.ignored();
    writer.parameters(parameters);
    return writer.page.toString();
  }

  private void remember(HelpEntry entry) {
    entry.names().forEach(name -> helps.putIfAbsent(name, entry.help()));
  }

  private void settings() {
    page.append(
        """

        ## Settings of the file

        Each setting means the same as a flag. A setting that is not here is refused, with a reason,
        unless it has no effect (below).

        | setting | value | flag | |
        |---|---|---|---|
        """);
    for (ConfigKey row : ConfigKey.all()) {
      String help = row.flag().isEmpty() ? "be a shard's member, or a config server" : help(row);
      if (help != null) {
        String flag = row.flag().isEmpty() ? "`--shardsvr`, `--configsvr`" : code(row.flag());
        line(code(row.key()), row.expected(), flag, escaped(help));
      }
    }
    line(
        "`setParameter.NAME`",
        "as the parameter's",
        "`--setParameter NAME=VALUE`",
        "a parameter (below)");
  }

  /** Null for a flag that is always refused. */
  private String help(ConfigKey row) {
    return helps.get(row.flag());
  }

  private void ignored() {
    page.append(
        """

        ## Without effect

        These settings and flags of `mongod` are about the inside of MongoDB. A server that is given one starts, and its log
        has a warning with the reason.

        | setting or flag | value | reason |
        |---|---|---|
        """);
    for (IgnoredOptions.Row row : IgnoredOptions.all()) {
      String names = String.join(", ", row.names().stream().map(ConfigurationPage::code).toList());
      line(names, row.value() == null ? "any" : code(row.value()), row.reason());
    }
  }

  private void parameters(Document parameters) {
    page.append(
        """

        ## Parameters

        `--setParameter NAME=VALUE` sets one at the start, and `db.adminCommand({setParameter: 1, NAME: VALUE})` while the
        server runs. The defaults are those of a server without other flags. A router has those that are not about stored
        data.

        | parameter | default | at the start | while it runs |
        |---|---|---|---|
        """);
    for (var entry : new TreeMap<>(parameters).entrySet()) {
      if (entry.getValue() instanceof Document row) {
        boolean atStart = row.getBoolean("settableAtStartup");
        boolean atRuntime = row.getBoolean("settableAtRuntime");
        if (atStart || atRuntime) {
          line(
              code(entry.getKey()),
              value(entry.getKey(), row.get("value")),
              mark(atStart),
              mark(atRuntime));
        }
      }
    }
  }

  private static String value(String name, Object value) {
    if (name.equals("messageMemoryLimitBytes")) {
      return "a quarter of the heap";
    }
    if (value instanceof Document) {
      return "a document";
    }
    String wrapped = new Document("v", value).toJson(RELAXED);
    return code(wrapped.substring("{\"v\": ".length(), wrapped.length() - 1));
  }

  private static String mark(boolean possible) {
    return possible ? "yes" : "no";
  }

  private void line(String... cells) {
    page.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  private static String escaped(String text) {
    return text.replaceAll("([\\\\|<*_`\\[])", "\\\\$1");
  }
}
