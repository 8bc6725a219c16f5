package dev.wisent.conformance.compatibility;

import dev.wisent.server.command.CommandScope;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.NodeRole;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What the command table says of each command, beside whether it is there. */
final class CommandColumns {
  static final List<String> HEADINGS = List.of("nodes", "privilege", "transaction", "API");
  static final String LEGEND =
      """
      *Nodes* are the roles that have the command: `data` (a standalone or a member of a replica set), `config` (a config
      server), `router`; only data nodes exist so far. *Privilege* is what a client must be allowed to do, with MongoDB's
      names of actions: on the cluster, the request's database, its collection, or what its arguments name. It is not
      enforced yet. *Transaction* says whether the command can start, continue or end one; others are refused there. *API*
      are the versions of the stable API that have the command. Commands without these columns are not in the table yet.

      """;

  private final Map<String, CommandScope> scopes = new HashMap<>();

  CommandColumns(List<CommandSpec> table) {
    table.forEach(row -> scopes.put(row.name(), row.scope()));
  }

  List<String> of(String command) {
    CommandScope scope = scopes.get(command);
    if (scope == null) {
      return Collections.nCopies(HEADINGS.size(), "");
    }
    return List.of(
        scope.roles().stream().sorted().map(CommandColumns::text).collect(Collectors.joining(", ")),
        scope.privilege().toString(),
        switch (scope.transaction()) {
          case NO_TRANSACTION -> "";
          case STARTS, CONTINUES, ENDS -> scope.transaction().name().toLowerCase(Locale.ROOT);
        },
        String.join(", ", scope.api().names()));
  }

  private static String text(NodeRole role) {
    return switch (role) {
      case DATA_NODE -> "data";
      case CONFIG_SERVER -> "config";
      case ROUTER -> "router";
    };
  }
}
