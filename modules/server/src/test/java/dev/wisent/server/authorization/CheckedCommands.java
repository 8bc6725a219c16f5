package dev.wisent.server.authorization;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.harness.TestAccess;
import dev.wisent.server.operation.OperationRegistry;
import java.util.List;
import java.util.SplittableRandom;

/** Asks the check of a node about commands, without running them. */
final class CheckedCommands {
  final KnownUsers users = new KnownUsers();
  final CursorRegistry cursors = new CursorRegistry(Clock.system(), new SplittableRandom(1));
  private final List<CommandSpec> rows;
  private final AccessCheck check;

  CheckedCommands(List<CommandSpec> rows) {
    this.rows = rows;
    this.check = check(TestAccess.closed(users));
  }

  private CheckedCommands(List<CommandSpec> rows, AccessControl access) {
    this.rows = rows;
    this.check = check(access);
  }

  private AccessCheck check(AccessControl access) {
    return new AccessCheck(access, AuditLog.NONE, rows, cursors, new OperationRegistry());
  }

  /** Of a node that lets all clients do everything. */
  static CheckedCommands ofOpenNode(List<CommandSpec> rows) {
    return new CheckedCommands(rows, TestAccess.open());
  }

  /** The request as it would run. */
  CommandRequest run(UserName user, String command) {
    return run(KnownUsers.connection(user), command);
  }

  CommandRequest run(ClientConnection client, String command) {
    RawDocument body = RawDocument.parse(command);
    CommandRequest request = CommandRequest.of(body, List.of(), false);
    request.readGenericArguments();
    CommandSpec row =
        rows.stream().filter(each -> each.isCalled(request.name())).findFirst().orElseThrow();
    check.check(request, row, client);
    return request;
  }

  boolean allows(UserName user, String command) {
    try {
      run(user, command);
      return true;
    } catch (CommandException e) {
      if (e.code() == ErrorCode.UNAUTHORIZED) {
        return false;
      }
      throw e;
    }
  }

  String refusal(ClientConnection client, String command) {
    try {
      run(client, command);
      return "allowed";
    } catch (CommandException e) {
      return e.code() + ": " + e.getMessage();
    }
  }
}
