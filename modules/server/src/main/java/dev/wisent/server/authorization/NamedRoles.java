package dev.wisent.server.authorization;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;

/** Roles and privileges that the arguments of a command name. */
final class NamedRoles {
  private NamedRoles() {}

  /** Whether all roles of an argument may be granted or revoked, each by its own database. */
  static boolean allow(
      CommandRequest request, Principal principal, String argument, Action action) {
    for (RawValue role : Arguments.values(request.body().get(argument))) {
      String database = databaseOf(role, request.database());
      if (database != null && !principal.onDatabase(database, action)) {
        return false;
      }
    }
    return true;
  }

  /** The database of a role or user that is named; null where the command refuses the name. */
  static String databaseOf(RawValue named, String otherwise) {
    if (named.isString()) {
      return otherwise;
    }
    return named.isDocument() ? Arguments.text(named.asDocument(), "db") : null;
  }

  /**
   * Whether all privileges of an argument may be given or taken. Those of one database need the
   * action on it, all others on {@code admin}.
   */
  static boolean privileges(CommandRequest request, Principal principal, Action action) {
    for (RawValue privilege : Arguments.values(request.body().get("privileges"))) {
      RawDocument resource =
          privilege.isDocument() ? Arguments.document(privilege.asDocument(), "resource") : null;
      String database = resource == null ? null : Arguments.text(resource, "db");
      boolean ofOne = database != null && !database.isEmpty();
      if (!principal.onDatabase(ofOne ? database : "admin", action)) {
        return false;
      }
    }
    return true;
  }
}
