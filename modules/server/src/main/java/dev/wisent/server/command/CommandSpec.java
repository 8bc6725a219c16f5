package dev.wisent.server.command;

import dev.wisent.server.privilege.Privilege;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A row of the command table.
 *
 * @param scope where the command exists and what it takes to run it
 * @param sequences arguments that may come as document sequences
 */
public record CommandSpec(
    String name,
    List<String> aliases,
    CommandKind kind,
    CommandScope scope,
    RunsOn runsOn,
    Set<CommandTrait> traits,
    ReadConcernSupport readConcern,
    List<String> sequences,
    String help,
    Command command) {

  /** Begins a row, which {@link Draft#scope} completes. */
  public static Draft of(String name, CommandKind kind, String help, Command command) {
    return new Draft(name, kind, help, command);
  }

  /** A row without the columns that have no default. */
  public record Draft(String name, CommandKind kind, String help, Command command) {
    /** As {@link CommandScope} has them. */
    public CommandSpec scope(
        Set<NodeRole> roles, ApiVersions api, Privilege privilege, TransactionUse transaction) {
      boolean writes = kind == CommandKind.WRITE || kind == CommandKind.DEFINITION;
      return new CommandSpec(
          name,
          List.of(),
          kind,
          new CommandScope(roles, api, privilege, transaction),
          switch (kind) {
            case READ -> RunsOn.SECONDARY_IF_ALLOWED;
            case WRITE, DEFINITION -> RunsOn.PRIMARY;
            case ADMIN -> RunsOn.ANY_STATE;
          },
          writes ? EnumSet.of(CommandTrait.WRITE_CONCERN) : EnumSet.noneOf(CommandTrait.class),
          kind == CommandKind.WRITE
              ? ReadConcernSupport.NO_SNAPSHOT
              : ReadConcernSupport.LOCAL_ONLY,
          List.of(),
          help,
          command);
    }
  }

  /** Whether a client means this command by a name. */
  public boolean isCalled(String called) {
    return name.equals(called) || aliases.contains(called);
  }

  public boolean is(CommandTrait trait) {
    return traits.contains(trait);
  }

  public CommandSpec alias(String... names) {
    return new CommandSpec(
        name, List.of(names), kind, scope, runsOn, traits, readConcern, sequences, help, command);
  }

  public CommandSpec onAdmin() {
    return with(CommandTrait.ADMIN_ONLY);
  }

  public CommandSpec byUuid() {
    return with(CommandTrait.COLLECTION_BY_UUID);
  }

  public CommandSpec withCollectionUuid() {
    return with(CommandTrait.COLLECTION_UUID);
  }

  public CommandSpec keepingArgumentsAsBytes() {
    return with(CommandTrait.ARGUMENTS_STAY_BYTES);
  }

  public CommandSpec forRelief() {
    return with(CommandTrait.RELIEF);
  }

  /** For a row whose roles come from a shared helper of its table. */
  public CommandSpec alsoOn(NodeRole role) {
    EnumSet<NodeRole> more = EnumSet.of(role);
    more.addAll(scope.roles());
    var wider = new CommandScope(more, scope.api(), scope.privilege(), scope.transaction());
    return new CommandSpec(
        name, aliases, kind, wider, runsOn, traits, readConcern, sequences, help, command);
  }

  public CommandSpec retryable() {
    return with(CommandTrait.RETRYABLE_WRITE);
  }

  public CommandSpec withWriteConcern() {
    return with(CommandTrait.WRITE_CONCERN);
  }

  public CommandSpec withoutWriteConcern() {
    EnumSet<CommandTrait> fewer = EnumSet.copyOf(traits);
    fewer.remove(CommandTrait.WRITE_CONCERN);
    return withTraits(fewer);
  }

  public CommandSpec tellingOpTime() {
    return with(CommandTrait.OP_TIME);
  }

  public CommandSpec withReadConcern(ReadConcernSupport support) {
    return new CommandSpec(
        name, aliases, kind, scope, runsOn, traits, support, sequences, help, command);
  }

  public CommandSpec runsOn(RunsOn states) {
    return new CommandSpec(
        name, aliases, kind, scope, states, traits, readConcern, sequences, help, command);
  }

  public CommandSpec withSequences(String... names) {
    return new CommandSpec(
        name, aliases, kind, scope, runsOn, traits, readConcern, List.of(names), help, command);
  }

  private CommandSpec with(CommandTrait trait) {
    EnumSet<CommandTrait> more = EnumSet.of(trait);
    more.addAll(traits);
    return withTraits(more);
  }

  private CommandSpec withTraits(Set<CommandTrait> changed) {
    return new CommandSpec(
        name, aliases, kind, scope, runsOn, changed, readConcern, sequences, help, command);
  }
}
