package dev.wisent.server.authorization;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.Arrays;
import java.util.List;

/** What commands need that create, change and show users and roles. */
final class UserRules {
  private static final String ROLES = "roles";

  private UserRules() {}

  static boolean createUser(CommandRequest request, Principal principal) {
    return principal.onDatabase(request.database(), Action.CREATE_USER)
        && NamedRoles.allow(request, principal, ROLES, Action.GRANT_ROLE)
        && restrictions(request, principal);
  }

  static boolean updateUser(CommandRequest request, Principal principal) {
    String database = request.database();
    RawDocument body = request.body();
    String user = Arguments.collection(request);
    boolean own = user != null && principal.is(new UserName(user, database));
    if ((Arguments.has(body, "pwd") || Arguments.has(body, "mechanisms"))
        && !mayChange(principal, database, own, Action.CHANGE_PASSWORD)) {
      return false;
    }
    if (Arguments.has(body, "customData")
        && !mayChange(principal, database, own, Action.CHANGE_CUSTOM_DATA)) {
      return false;
    }
    // Which roles it takes away is not known here.
    if (Arguments.has(body, ROLES)
        && !(principal.onAnyNormal(Action.REVOKE_ROLE)
            && NamedRoles.allow(request, principal, ROLES, Action.GRANT_ROLE))) {
      return false;
    }
    return restrictions(request, principal);
  }

  private static boolean mayChange(
      Principal principal, String database, boolean own, Action action) {
    Action ofOwn =
        action == Action.CHANGE_PASSWORD
            ? Action.CHANGE_OWN_PASSWORD
            : Action.CHANGE_OWN_CUSTOM_DATA;
    return principal.onDatabase(database, action) || (own && principal.onDatabase(database, ofOwn));
  }

  /** It may put any user and role there, with any privilege. */
  static boolean merge(CommandRequest request, Principal principal) {
    RawDocument body = request.body();
    return onAnyNormal(
            principal,
            Action.CREATE_USER,
            Action.CREATE_ROLE,
            Action.GRANT_ROLE,
            Action.REVOKE_ROLE)
        && (!Arguments.isTrue(body, "drop")
            || onAnyNormal(principal, Action.DROP_USER, Action.DROP_ROLE))
        && mayRead(Arguments.text(body, "tempUsersCollection"), principal)
        && mayRead(Arguments.text(body, "tempRolesCollection"), principal);
  }

  private static boolean onAnyNormal(Principal principal, Action... actions) {
    return Arrays.stream(actions).allMatch(principal::onAnyNormal);
  }

  private static boolean mayRead(String collection, Principal principal) {
    return collection == null
        || collection.isEmpty()
        || DocumentRules.on(Namespace.parse(collection), principal, Action.FIND);
  }

  private static boolean restrictions(CommandRequest request, Principal principal) {
    return !Arguments.has(request.body(), "authenticationRestrictions")
        || principal.onDatabase(request.database(), Action.SET_AUTHENTICATION_RESTRICTION);
  }

  static boolean grantRoles(CommandRequest request, Principal principal) {
    return NamedRoles.allow(request, principal, ROLES, Action.GRANT_ROLE);
  }

  static boolean revokeRoles(CommandRequest request, Principal principal) {
    return NamedRoles.allow(request, principal, ROLES, Action.REVOKE_ROLE);
  }

  static boolean grantPrivileges(CommandRequest request, Principal principal) {
    return NamedRoles.privileges(request, principal, Action.GRANT_ROLE);
  }

  static boolean revokePrivileges(CommandRequest request, Principal principal) {
    return NamedRoles.privileges(request, principal, Action.REVOKE_ROLE);
  }

  static boolean createRole(CommandRequest request, Principal principal) {
    return principal.onDatabase(request.database(), Action.CREATE_ROLE)
        && grantRoles(request, principal)
        && grantPrivileges(request, principal)
        && restrictions(request, principal);
  }

  static boolean updateRole(CommandRequest request, Principal principal) {
    return principal.onAnyNormal(Action.REVOKE_ROLE)
        && grantRoles(request, principal)
        && grantPrivileges(request, principal)
        && restrictions(request, principal);
  }

  /** Users may always be seen by themselves. */
  static boolean usersInfo(CommandRequest request, Principal principal) {
    RawValue which = request.argument();
    String database = request.database();
    if (which.isDocument() && Arguments.has(which.asDocument(), "forAllDBs")) {
      return principal.onCluster(Action.VIEW_USER);
    }
    if (which.isNumber()) {
      return principal.onDatabase(database, Action.VIEW_USER);
    }
    for (RawValue each : which.isArray() ? Arguments.values(which) : List.of(which)) {
      String of = NamedRoles.databaseOf(each, database);
      String user =
          each.isDocument() ? Arguments.text(each.asDocument(), "user") : Arguments.text(each);
      boolean own = of != null && user != null && principal.is(new UserName(user, of));
      if (!own && !principal.onDatabase(of == null ? database : of, Action.VIEW_USER)) {
        return false;
      }
    }
    return true;
  }

  /** And roles by the users that have them. */
  static boolean rolesInfo(CommandRequest request, Principal principal) {
    RawValue which = request.argument();
    String database = request.database();
    if (which.isNumber()) {
      return principal.onDatabase(database, Action.VIEW_ROLE);
    }
    for (RawValue each : which.isArray() ? Arguments.values(which) : List.of(which)) {
      String of = NamedRoles.databaseOf(each, database);
      String role =
          each.isDocument() ? Arguments.text(each.asDocument(), "role") : Arguments.text(each);
      boolean own = of != null && role != null && principal.hasRole(new RoleName(role, of));
      if (!own && !principal.onDatabase(of == null ? database : of, Action.VIEW_ROLE)) {
        return false;
      }
    }
    return true;
  }
}
