package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.RunsOn;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** {@code listCommands}, from the command table itself. */
public final class ListCommandsCommand implements Command {
  private final Supplier<List<CommandSpec>> table;

  /**
   * @param table asked when the command runs, since the table holds this command too
   */
  public ListCommandsCommand(Supplier<List<CommandSpec>> table) {
    this.table = table;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.startDocument("commands");
    table.get().stream()
        .sorted(Comparator.comparing(CommandSpec::name))
        .forEach(spec -> append(spec, reply));
    reply.end();
  }

  private static void append(CommandSpec spec, BsonBuilder reply) {
    reply.startDocument(spec.name());
    reply.appendString("help", spec.help());
    reply.appendBoolean("requiresAuth", spec.scope().privilege().requiresLogin());
    boolean secondaryOk = spec.runsOn() == RunsOn.SECONDARY || spec.runsOn() == RunsOn.ANY_STATE;
    reply.appendBoolean("secondaryOk", secondaryOk);
    reply.appendBoolean("adminOnly", spec.is(CommandTrait.ADMIN_ONLY));
    if (spec.runsOn() == RunsOn.SECONDARY_IF_ALLOWED) {
      reply.appendBoolean("secondaryOverrideOk", true);
    }
    reply.startArray("apiVersions");
    List<String> versions = spec.scope().api().names();
    for (int i = 0; i < versions.size(); i++) {
      reply.appendString(Integer.toString(i), versions.get(i));
    }
    reply.end();
    reply.startArray("deprecatedApiVersions");
    reply.end();
    reply.end();
  }
}
