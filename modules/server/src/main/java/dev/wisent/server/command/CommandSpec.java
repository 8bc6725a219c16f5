package dev.wisent.server.command;

import java.util.List;

/**
 * A row of the command table.
 *
 * @param adminOnly whether it runs against the admin database only
 * @param apiV1 whether it belongs to stable API version 1
 * @param readConcern which levels of read concern it takes
 * @param writeConcern whether it takes a write concern
 * @param sequences arguments that may come as document sequences
 */
public record CommandSpec(
    String name,
    List<String> aliases,
    CommandKind kind,
    boolean adminOnly,
    boolean apiV1,
    ReadConcern.Support readConcern,
    boolean writeConcern,
    List<String> sequences,
    String help,
    Command command) {

  public static CommandSpec of(String name, CommandKind kind, String help, Command command) {
    boolean writes = kind == CommandKind.WRITE || kind == CommandKind.DEFINITION;
    return new CommandSpec(
        name,
        List.of(),
        kind,
        false,
        false,
        kind == CommandKind.WRITE ? ReadConcern.Support.ALL : ReadConcern.Support.LOCAL_ONLY,
        writes,
        List.of(),
        help,
        command);
  }

  public CommandSpec alias(String... names) {
    return new CommandSpec(
        name,
        List.of(names),
        kind,
        adminOnly,
        apiV1,
        readConcern,
        writeConcern,
        sequences,
        help,
        command);
  }

  public CommandSpec onAdmin() {
    return new CommandSpec(
        name,
        aliases,
        kind,
        true,
        apiV1,
        readConcern,
        writeConcern,
        sequences,
        help,
        command);
  }

  public CommandSpec inApiV1() {
    return new CommandSpec(
        name,
        aliases,
        kind,
        adminOnly,
        true,
        readConcern,
        writeConcern,
        sequences,
        help,
        command);
  }

  CommandSpec readConcern(ReadConcern.Support support) {
    return new CommandSpec(
        name, aliases, kind, adminOnly, apiV1, support, writeConcern, sequences, help, command);
  }

  CommandSpec writeConcern(boolean taken) {
    return new CommandSpec(
        name, aliases, kind, adminOnly, apiV1, readConcern, taken, sequences, help, command);
  }

  CommandSpec sequences(String... names) {
    return new CommandSpec(
        name,
        aliases,
        kind,
        adminOnly,
        apiV1,
        readConcern,
        writeConcern,
        List.of(names),
        help,
        command);
  }
}
