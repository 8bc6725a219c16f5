package dev.wisent.conformance.compatibility;

import dev.wisent.server.command.CommandScope;
import dev.wisent.server.command.CommandSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the command tables of all kinds of nodes say of each command. */
final class CommandColumns {
  static final List<String> HEADINGS = List.of("nodes", "privilege", "transaction", "API");
  static final String LEGEND =
      """
      *Nodes* are those that have the command: `data` (a standalone or a member of a replica set, and so a shard as well),
      `shard` (members of shards only), `config` (a config server), `router`. *Privilege* is what a client must be allowed
      to do where access control is on, with MongoDB's names of actions: on the cluster, the request's database, its
      collection, or what its arguments name. *Transaction* says whether the command can start, continue or end one;
      others are refused there. *API* are the versions of the stable API that have the command. Commands without these
      columns are not in the tables yet. [What each command does](commands.md) stands on a page of its own.

      """;

  private static final String DATA = "data";
  private static final String SHARD = "shard";

  private final Map<String, List<CommandSpec>> tables = new LinkedHashMap<>();

  CommandColumns(
      List<CommandSpec> data,
      List<CommandSpec> shard,
      List<CommandSpec> config,
      List<CommandSpec> router) {
    tables.put(DATA, data);
    tables.put(SHARD, shard);
    tables.put("config", config);
    tables.put("router", router);
  }

  /** Whether some node has the command and does something. */
  boolean supports(String command) {
    return tables.values().stream()
        .map(table -> row(table, command))
        .anyMatch(row -> row != null && isSupported(row));
  }

  private static CommandSpec row(List<CommandSpec> table, String command) {
    return table.stream().filter(row -> row.isCalled(command)).findFirst().orElse(null);
  }

  static boolean isSupported(CommandSpec row) {
    return !row.help().contains("not supported yet");
  }

  /** Of a command that some nodes refuse the others count. */
  List<String> of(String command) {
    boolean supported = supports(command);
    List<String> nodes = new ArrayList<>();
    CommandScope scope = null;
    for (Map.Entry<String, List<CommandSpec>> table : tables.entrySet()) {
      CommandSpec row = row(table.getValue(), command);
      if (row == null || isSupported(row) != supported) {
        continue;
      }
      scope = scope == null ? row.scope() : scope;
      if (!table.getKey().equals(SHARD) || !nodes.contains(DATA)) {
        nodes.add(table.getKey());
      }
    }
    if (scope == null) {
      return Collections.nCopies(HEADINGS.size(), "");
    }
    return List.of(
        String.join(", ", nodes),
        scope.privilege().toString(),
        switch (scope.transaction()) {
          case NO_TRANSACTION -> "";
          case STARTS, CONTINUES, ENDS -> scope.transaction().name().toLowerCase(Locale.ROOT);
        },
        String.join(", ", scope.api().names()));
  }
}
