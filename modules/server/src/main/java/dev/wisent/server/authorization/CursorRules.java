package dev.wisent.server.authorization;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ShownCommand;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;
import dev.wisent.server.privilege.Principal;
import java.util.List;
import java.util.function.BiPredicate;

/** What commands need that go on with cursors, or end them: a cursor belongs to its user. */
final class CursorRules {
  /** Ends the names of collections that stand for a database in cursors. */
  private static final String OF_DATABASE = "$cmd.";

  private final CursorRegistry cursors;
  private final BiPredicate<CommandRequest, Principal> mayRun;

  /**
   * @param mayRun whether a command may run
   */
  CursorRules(CursorRegistry cursors, BiPredicate<CommandRequest, Principal> mayRun) {
    this.cursors = cursors;
    this.mayRun = mayRun;
  }

  /** The user of a cursor has to be allowed to open it still. */
  boolean getMore(CommandRequest request, Principal principal) {
    if (!request.argument().isNumber()) {
      return true; // The command refuses it.
    }
    long id = request.argument().toLong();
    OpenCursor cursor = cursors.find(id);
    if (cursor == null) {
      return true; // There is none, and that is no secret.
    }
    if (!principal.owns(cursor.origin().owner())) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "cursor id " + id + " was not created by the authenticated user");
    }
    if (!mayOpen(cursor, principal)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "not authorized for getMore with cursor id " + id);
    }
    return true;
  }

  /** Of a long command only the name is kept. */
  private boolean mayOpen(OpenCursor cursor, Principal principal) {
    RawDocument command = cursor.origin().command();
    if (command == null || command.isEmpty() || command.get(ShownCommand.CUT) != null) {
      return DocumentRules.on(cursor.namespace(), principal, Action.FIND);
    }
    return mayRun.test(CommandRequest.implied(command, cursor.namespace().database()), principal);
  }

  boolean killCursors(CommandRequest request, Principal principal) {
    String collection = Arguments.collection(request);
    if (collection == null || mayKillAll(request.database(), collection, principal)) {
      return true;
    }
    List<RawValue> ids = Arguments.values(request.body().get("cursors"));
    for (RawValue id : ids) {
      OpenCursor cursor = id.isNumber() ? cursors.find(id.toLong()) : null;
      if (cursor != null && !principal.owns(cursor.origin().owner())) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayKillAll(String database, String collection, Principal principal) {
    return principal.onCluster(Action.KILL_ANY_CURSOR)
        || (collection.startsWith(OF_DATABASE)
            ? principal.onDatabase(database, Action.KILL_ANY_CURSOR)
            : principal.onCollection(database, collection, Action.KILL_ANY_CURSOR));
  }
}
