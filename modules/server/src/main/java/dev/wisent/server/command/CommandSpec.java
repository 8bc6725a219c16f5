package dev.wisent.server.command;

import dev.wisent.server.privilege.Privilege;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

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
      return new Columns(this, new CommandScope(roles, api, privilege, transaction)).row();
    }
  }

  /** The columns that have a default by the kind of the command, or that a row can change. */
  private static final class Columns {
    private final Draft draft;
    private List<String> aliases = List.of();
    private CommandScope scope;
    private RunsOn runsOn;
    private EnumSet<CommandTrait> traits = EnumSet.noneOf(CommandTrait.class);
    private ReadConcernSupport readConcern = ReadConcernSupport.LOCAL_ONLY;
    private List<String> sequences = List.of();

    Columns(Draft draft, CommandScope scope) {
      this.draft = draft;
      this.scope = scope;
      this.runsOn =
          switch (draft.kind) {
            case READ -> RunsOn.SECONDARY_IF_ALLOWED;
            case WRITE, DEFINITION -> RunsOn.PRIMARY;
            case ADMIN -> RunsOn.ANY_STATE;
          };
      if (draft.kind == CommandKind.WRITE || draft.kind == CommandKind.DEFINITION) {
        traits.add(CommandTrait.WRITE_CONCERN);
      }
      if (draft.kind == CommandKind.WRITE) {
        readConcern = ReadConcernSupport.NO_SNAPSHOT;
      }
    }

    Columns(CommandSpec row) {
      this.draft = new Draft(row.name, row.kind, row.help, row.command);
      this.aliases = row.aliases;
      this.scope = row.scope;
      this.runsOn = row.runsOn;
      this.traits.addAll(row.traits);
      this.readConcern = row.readConcern;
      this.sequences = row.sequences;
    }

    CommandSpec row() {
      return new CommandSpec(
          draft.name,
          aliases,
          draft.kind,
          scope,
          runsOn,
          traits,
          readConcern,
          sequences,
          draft.help,
          draft.command);
    }
  }

  private CommandSpec changed(Consumer<Columns> change) {
    var columns = new Columns(this);
    change.accept(columns);
    return columns.row();
  }

  /** Whether a client means this command by a name. */
  public boolean isCalled(String called) {
    return name.equals(called) || aliases.contains(called);
  }

  public boolean is(CommandTrait trait) {
    return traits.contains(trait);
  }

  public CommandSpec alias(String... names) {
    return changed(columns -> columns.aliases = List.of(names));
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
    return changed(columns -> columns.scope = wider);
  }

  public CommandSpec retryable() {
    return with(CommandTrait.RETRYABLE_WRITE);
  }

  public CommandSpec withWriteConcern() {
    return with(CommandTrait.WRITE_CONCERN);
  }

  public CommandSpec withoutWriteConcern() {
    return changed(columns -> columns.traits.remove(CommandTrait.WRITE_CONCERN));
  }

  public CommandSpec tellingOpTime() {
    return with(CommandTrait.OP_TIME);
  }

  public CommandSpec withReadConcern(ReadConcernSupport support) {
    return changed(columns -> columns.readConcern = support);
  }

  public CommandSpec runsOn(RunsOn states) {
    return changed(columns -> columns.runsOn = states);
  }

  public CommandSpec withSequences(String... names) {
    return changed(columns -> columns.sequences = List.of(names));
  }

  /** The same row with another command, for a role that does it in another way. */
  public CommandSpec running(Command other) {
    return new CommandSpec(
        name, aliases, kind, scope, runsOn, traits, readConcern, sequences, help, other);
  }

  private CommandSpec with(CommandTrait trait) {
    return changed(columns -> columns.traits.add(trait));
  }
}
