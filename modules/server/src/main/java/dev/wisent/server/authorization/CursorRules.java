package dev.wisent.server.authorization;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;
import dev.wisent.server.privilege.Principal;
import java.util.List;

/** What commands need that go on with cursors, or end them: a cursor belongs to its user. */
final class CursorRules {
  /** Ends the names of collections that stand for a database in cursors. */
  private static final String OF_DATABASE = "$cmd.";

  private final CursorRegistry cursors;

  CursorRules(CursorRegistry cursors) {
    this.cursors = cursors;
  }

  /** All that allowed its user to open a cursor has to be allowed still. */
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
    if (!cursor.origin().checks().passFor(principal)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "not authorized for getMore with cursor id " + id);
    }
    return true;
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
