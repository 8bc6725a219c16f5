package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.connection.ClientConnection;

/** What a command is to the connections and threads that are kept for a node without room. */
enum ReservedUse {
  /** What they are kept for. */
  RELIEF,
  /** What clients need before that, such as {@code hello}. */
  ALLOWED,
  REFUSED;

  static ReservedUse of(CommandSpec spec, CommandRequest request) {
    if (spec.is(CommandTrait.RELIEF)) {
      return RELIEF;
    }
    if (spec.kind() == CommandKind.ADMIN) {
      return ALLOWED;
    }
    return spec.name().equals("aggregate") && isCurrentOp(request) ? RELIEF : REFUSED;
  }

  /** Shells ask for what is running by a pipeline. */
  private static boolean isCurrentOp(CommandRequest request) {
    RawValue pipeline = request.body().get("pipeline");
    if (pipeline == null || !pipeline.isArray()) {
      return false;
    }
    ElementCursor stages = pipeline.elements();
    return stages.next()
        && stages.value().isDocument()
        && stages.value().asDocument().get("$currentOp") != null;
  }

  void check(ClientConnection client) {
    if (this == RELIEF) {
      client.administered();
    } else if (this == REFUSED && client.isReserved()) {
      client.closeAfterReply();
      throw new CommandException(
          ErrorCode.RESOURCE_EXHAUSTED,
          "The server has no connections or threads left; this connection is kept for commands"
              + " that show what the server does, such as currentOp, and for killOp");
    }
  }
}
