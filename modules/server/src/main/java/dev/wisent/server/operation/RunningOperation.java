package dev.wisent.server.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.SecretArguments;
import dev.wisent.server.connection.ClientConnection;

/** A command under way, as currentOp shows it and killOp finds it. */
public record RunningOperation(
    int id,
    ClientConnection client,
    CommandSpec spec,
    CommandRequest request,
    OperationContext context) {
  public String namespace() {
    return request.namespaceText();
  }

  /** What MongoDB calls this kind of operation. */
  public String kind() {
    return switch (spec.name()) {
      case "find" -> "query";
      case "getMore" -> "getmore";
      case "insert", "update" -> spec.name();
      case "delete" -> "remove";
      default -> "command";
    };
  }

  /** The command as reports show it: without passwords and the like. */
  public RawDocument command() {
    return SecretArguments.hidden(spec.name(), request.body());
  }
}
