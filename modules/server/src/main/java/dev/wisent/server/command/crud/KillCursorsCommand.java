package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.CursorRegistry.KillOutcome;
import java.util.ArrayList;
import java.util.List;

/** {@code killCursors}. */
public final class KillCursorsCommand implements Command {
  private final CursorRegistry cursors;

  public KillCursorsCommand(CursorRegistry cursors) {
    this.cursors = cursors;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    List<Long> ids = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "cursors" -> ids = ids(reader);
        default -> reader.unknown();
      }
    }
    if (ids == null) {
      throw ArgumentTypes.missing("killCursors.cursors");
    }
    if (ids.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "must specify at least one cursor id in: " + request.body());
    }
    var killed = new ArrayList<Long>();
    var notFound = new ArrayList<Long>();
    for (long id : ids) {
      boolean found = cursors.kill(id, namespace) == KillOutcome.KILLED;
      (found ? killed : notFound).add(id);
    }
    append(reply, "cursorsKilled", killed);
    append(reply, "cursorsNotFound", notFound);
    append(reply, "cursorsAlive", List.of());
    append(reply, "cursorsUnknown", List.of());
  }

  private static List<Long> ids(ArgumentReader reader) {
    var ids = new ArrayList<Long>();
    ElementCursor elements = ArgumentTypes.array(reader.path(), reader.value()).elements();
    while (elements.next()) {
      if (elements.type() != ElementType.INT64) {
        throw ArgumentTypes.wrongType(
            reader.path() + "." + elements.name(), elements.type(), "long");
      }
      ids.add(elements.value().asInt64());
    }
    return ids;
  }

  private static void append(BsonBuilder reply, String name, List<Long> ids) {
    reply.startArray(name);
    for (int i = 0; i < ids.size(); i++) {
      reply.appendInt64(Integer.toString(i), ids.get(i));
    }
    reply.end();
  }
}
