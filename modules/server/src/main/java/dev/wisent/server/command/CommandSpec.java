package dev.wisent.server.command;

import java.util.List;

/**
 * A row of the command table.
 *
 * @param adminOnly whether it runs against the admin database only
 * @param apiV1 whether it belongs to stable API version 1
 * @param command null for a name that is known and refused
 */
public record CommandSpec(
    String name,
    List<String> aliases,
    CommandKind kind,
    boolean adminOnly,
    boolean apiV1,
    String help,
    Command command) {

  public static CommandSpec of(String name, CommandKind kind, String help, Command command) {
    return new CommandSpec(name, List.of(), kind, false, false, help, command);
  }

  public CommandSpec alias(String... names) {
    return new CommandSpec(name, List.of(names), kind, adminOnly, apiV1, help, command);
  }

  public CommandSpec onAdmin() {
    return new CommandSpec(name, aliases, kind, true, apiV1, help, command);
  }

  public CommandSpec inApiV1() {
    return new CommandSpec(name, aliases, kind, adminOnly, true, help, command);
  }
}
