package dev.wisent.server.command;

import dev.wisent.server.command.concern.ReadConcernSupport;
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
    RunsOn runsOn,
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
        switch (kind) {
          case READ -> RunsOn.SECONDARY_IF_ALLOWED;
          case WRITE, DEFINITION -> RunsOn.PRIMARY;
          case ADMIN -> RunsOn.ANY_STATE;
        },
        writes ? EnumSet.of(CommandTrait.WRITE_CONCERN) : EnumSet.noneOf(CommandTrait.class),
        kind == CommandKind.WRITE ? ReadConcernSupport.NO_SNAPSHOT : ReadConcernSupport.LOCAL_ONLY,
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
        name, List.of(names), kind, runsOn, traits, readConcern, sequences, help, command);
  }

  public CommandSpec onAdmin() {
    return with(CommandTrait.ADMIN_ONLY);
  }

  CommandSpec byUuid() {
    return with(CommandTrait.COLLECTION_BY_UUID);
  }

  CommandSpec withCollectionUuid() {
    return with(CommandTrait.COLLECTION_UUID);
  }

  CommandSpec keepingArgumentsAsBytes() {
    return with(CommandTrait.ARGUMENTS_STAY_BYTES);
  }

  public CommandSpec forRelief() {
    return with(CommandTrait.RELIEF);
  }

  CommandSpec inApiV1() {
    return with(CommandTrait.API_V1);
  }

  CommandSpec retryable() {
    return with(CommandTrait.RETRYABLE_WRITE);
  }

  CommandSpec withWriteConcern() {
    return with(CommandTrait.WRITE_CONCERN);
  }

  CommandSpec withoutWriteConcern() {
    EnumSet<CommandTrait> fewer = EnumSet.copyOf(traits);
    fewer.remove(CommandTrait.WRITE_CONCERN);
    return withTraits(fewer);
  }

  CommandSpec tellingOpTime() {
    return with(CommandTrait.OP_TIME);
  }

  CommandSpec withReadConcern(ReadConcernSupport support) {
    return new CommandSpec(name, aliases, kind, runsOn, traits, support, sequences, help, command);
  }

  public CommandSpec runsOn(RunsOn states) {
    return new CommandSpec(
        name, aliases, kind, states, traits, readConcern, sequences, help, command);
  }

  CommandSpec withSequences(String... names) {
    return new CommandSpec(
        name, aliases, kind, runsOn, traits, readConcern, List.of(names), help, command);
  }

  private CommandSpec with(CommandTrait trait) {
    EnumSet<CommandTrait> more = EnumSet.of(trait);
    more.addAll(traits);
    return withTraits(more);
  }

  private CommandSpec withTraits(Set<CommandTrait> changed) {
    return new CommandSpec(
        name, aliases, kind, runsOn, changed, readConcern, sequences, help, command);
  }
}
