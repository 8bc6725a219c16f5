package dev.wisent.server.authorization;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.user.Identity;
import dev.wisent.security.user.User;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.connection.ActingFor;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.privilege.PassedChecks;
import dev.wisent.server.privilege.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a client may run a command, asked once before it runs and before anything is looked up
 * for it. Thread-safe.
 */
public final class AccessCheck {
  private final AccessControl access;
  private final AuditLog audit;
  private final Map<String, AccessRule> rules;
  private final Map<String, CommandSpec> rows = new HashMap<>();

  /**
   * @param commands the rows of this node's table; each gets a rule, or this fails
   */
  public AccessCheck(
      AccessControl access,
      AuditLog audit,
      List<CommandSpec> commands,
      CursorRegistry cursors,
      OperationRegistry operations) {
    this.access = access;
    this.audit = audit;
    this.rules = AccessRules.of(commands, cursors, operations, this::mayRun);
    for (CommandSpec row : commands) {
      rows.put(row.name(), row);
      row.aliases().forEach(alias -> rows.put(alias, row));
    }
  }

  /** Whether commands are checked here at all. */
  public boolean isOn() {
    return access.isEnabled();
  }

  /**
   * Fails if a client may not run a command; otherwise the request runs for that client from here
   * on.
   */
  public void check(CommandRequest request, CommandSpec row, ClientConnection client) {
    if (!isOn()) {
      runInOwnSession(request, client);
      return;
    }
    Principal principal = principal(client, row);
    client.actsFor(ActingFor.of(request.body(), client).orElse(null));
    if (principal.isRestricted()) {
      check(request, row, client, principal);
      runFor(principal, request, row);
    }
  }

  /**
   * A user's sessions are the same ones on nodes that check logins and on those that do not:
   * otherwise a write that is tried again on one of the others would be done twice.
   */
  private static void runInOwnSession(CommandRequest request, ClientConnection client) {
    Identity identity = client.identity().orElse(null);
    if (identity != null && !identity.isInternal()) {
      request.runFor(Principal.unrestricted(identity.user()));
    }
  }

  private void check(
      CommandRequest request, CommandSpec row, ClientConnection client, Principal principal) {
    boolean allowed;
    try {
      allowed =
          InternalArguments.allow(request, principal)
              && (isByUuid(request, row)
                  ? principal.onCluster(Action.USE_UUID)
                  : rules.get(row.name()).allows(request, principal));
    } catch (CommandException e) {
      if (e.code() == ErrorCode.UNAUTHORIZED) {
        audit.authCheckFailed(client, request);
      }
      throw e;
    }
    if (!allowed) {
      audit.authCheckFailed(client, request);
      throw refused(request);
    }
    audit.authCheckSucceeded(client, request);
  }

  /**
   * Checks a request again whose collection was called by UUID, now that its name is known.
   *
   * @param named the request with the name; the same as before if it had one
   */
  public void checkNamed(
      CommandRequest request, CommandRequest named, CommandSpec row, ClientConnection client) {
    Principal principal = request.principal();
    if (!principal.isRestricted() || !isByUuid(request, row)) {
      return;
    }
    if (!allowsNamed(named, row, principal)) {
      audit.authCheckFailed(client, request);
      throw refused(request);
    }
    runFor(principal, named, row);
  }

  /** A cursor that the command leaves open asks again what has been asked now. */
  private void runFor(Principal principal, CommandRequest request, CommandSpec row) {
    AccessRule rule = rules.get(row.name());
    request.runFor(
        principal.allowedBy(() -> PassedChecks.of(principal, each -> rule.allows(request, each))));
  }

  /** A router leaves the search to its shards, which do not know the user. */
  private boolean allowsNamed(CommandRequest named, CommandSpec row, Principal principal) {
    return isByUuid(named, row)
        ? principal.onCluster(Action.INTERNAL)
        : rules.get(row.name()).allows(named, principal);
  }

  private static boolean isByUuid(CommandRequest request, CommandSpec row) {
    return row.is(CommandTrait.COLLECTION_BY_UUID) && request.argument().isUuid();
  }

  /**
   * Of a command inside another one, or of one that ran before. One inside is not called by UUID:
   * whose name that is would be found only when it runs.
   */
  private boolean mayRun(CommandRequest request, Principal principal) {
    CommandSpec row = rows.get(request.name());
    return row == null
        || (InternalArguments.allow(request, principal)
            && (!isByUuid(request, row) || principal.onCluster(Action.INTERNAL))
            && rules.get(row.name()).allows(request, principal));
  }

  private static CommandException refused(CommandRequest request) {
    return new CommandException(
        ErrorCode.UNAUTHORIZED,
        "not authorized on "
            + request.database()
            + " to execute command "
            + RefusedText.of(request));
  }

  private Principal principal(ClientConnection client, CommandSpec row) {
    Identity identity = client.identity().orElse(null);
    if (identity == null ? client.isEmbedded() : identity.isInternal()) {
      return Principal.UNRESTRICTED;
    }
    User user = identity == null ? null : access.users().find(identity.user()).orElse(null);
    Principal known = client.principal();
    if (user != null && known != null && known.isOf(user)) {
      return known;
    }
    if (user == null || !identity.isOf(user)) {
      if (identity != null) {
        // Dropped meanwhile: a later user of the same name has proven nothing on this connection.
        audit.loggedOut(client, identity.user(), AuditLog.DROPPED_USER);
        client.logout();
      }
      return withoutLogin(access.localhost().granted(client), row);
    }
    Principal current = Principal.of(user);
    client.principal(current);
    return current;
  }

  /** A user that is dropped meanwhile is as one that has never logged in. */
  private static Principal withoutLogin(GrantedPrivileges granted, CommandSpec row) {
    if (granted.grants().isEmpty() && row.scope().privilege().requiresLogin()) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "Command " + row.name() + " requires authentication");
    }
    return Principal.withoutLogin(granted);
  }
}
