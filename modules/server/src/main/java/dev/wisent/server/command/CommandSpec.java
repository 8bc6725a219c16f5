package dev.wisent.server.command;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A row of the command table.
 *
 * @param sequences arguments that may come as document sequences
 */
public record CommandSpec(
    String name,
    List<String> aliases,
    CommandKind kind,
    Set<CommandTrait> traits,
    ReadConcernSupport readConcern,
    List<String> sequences,
    String help,
    Command command) {

  public static CommandSpec of(String name, CommandKind kind, String help, Command command) {
    boolean writes = kind == CommandKind.WRITE || kind == CommandKind.DEFINITION;
    return new CommandSpec(
        name,
        List.of(),
        kind,
        writes ? EnumSet.of(CommandTrait.WRITE_CONCERN) : EnumSet.noneOf(CommandTrait.class),
        kind == CommandKind.WRITE ? ReadConcernSupport.ALL : ReadConcernSupport.LOCAL_ONLY,
        List.of(),
        help,
        command);
  }

  /** Whether a client means this command by a name. */
  public boolean isCalled(String called) {
    return name.equals(called) || aliases.contains(called);
  }

  public boolean is(CommandTrait trait) {
    return traits.contains(trait);
  }

  CommandSpec alias(String... names) {
    return new CommandSpec(
        name, List.of(names), kind, traits, readConcern, sequences, help, command);
  }

  CommandSpec onAdmin() {
    return with(CommandTrait.ADMIN_ONLY);
  }

  CommandSpec inApiV1() {
    return with(CommandTrait.API_V1);
  }

  CommandSpec withWriteConcern() {
    return with(CommandTrait.WRITE_CONCERN);
  }

  CommandSpec withoutWriteConcern() {
    EnumSet<CommandTrait> fewer = EnumSet.copyOf(traits);
    fewer.remove(CommandTrait.WRITE_CONCERN);
    return withTraits(fewer);
  }

  CommandSpec withReadConcern(ReadConcernSupport support) {
    return new CommandSpec(name, aliases, kind, traits, support, sequences, help, command);
  }

  CommandSpec withSequences(String... names) {
    return new CommandSpec(name, aliases, kind, traits, readConcern, List.of(names), help, command);
  }

  private CommandSpec with(CommandTrait trait) {
    EnumSet<CommandTrait> more = EnumSet.of(trait);
    more.addAll(traits);
    return withTraits(more);
  }

  private CommandSpec withTraits(Set<CommandTrait> changed) {
    return new CommandSpec(name, aliases, kind, changed, readConcern, sequences, help, command);
  }
}
