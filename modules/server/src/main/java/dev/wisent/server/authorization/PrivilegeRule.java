package dev.wisent.server.authorization;

import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.privilege.Principal;
import dev.wisent.server.privilege.Privilege;
import dev.wisent.server.privilege.Resource;
import java.util.Set;

/** What the privilege column says, for commands whose arguments do not change it. */
final class PrivilegeRule implements AccessRule {
  /** Those that name a collection with its database, though any database takes them. */
  private static final Set<String> WITH_FULL_NAMES = Set.of("dataSize", "splitVector");

  private final Resource resource;
  private final Action[] actions;
  private final boolean fullName;

  private PrivilegeRule(Resource resource, Set<Action> actions, boolean fullName) {
    this.resource = resource;
    this.actions = actions.toArray(new Action[0]);
    this.fullName = fullName;
  }

  /** Whether the column alone decides. */
  static boolean decides(Privilege privilege) {
    return privilege.resource() != Resource.ARGUMENTS
        && privilege.resource() != Resource.INNER_COMMAND
        && privilege.optional().isEmpty()
        && !privilege.allowsOwn();
  }

  static PrivilegeRule of(CommandSpec row) {
    Privilege privilege = row.scope().privilege();
    boolean fullName = row.is(CommandTrait.ADMIN_ONLY) || WITH_FULL_NAMES.contains(row.name());
    return new PrivilegeRule(privilege.resource(), privilege.actions(), fullName);
  }

  @Override
  public boolean allows(CommandRequest request, Principal principal) {
    return switch (resource) {
      case NONE, LOGIN -> true;
      case CLUSTER -> onCluster(principal);
      case DATABASE -> onDatabase(fullName ? databaseOf(request) : request.database(), principal);
      case COLLECTION -> onCollection(request, principal);
      case ANY_COLLECTION -> onAnyNormal(principal);
      case ARGUMENTS, INNER_COMMAND -> false;
    };
  }

  private boolean onCluster(Principal principal) {
    for (Action action : actions) {
      if (!principal.onCluster(action)) {
        return false;
      }
    }
    return true;
  }

  private boolean onAnyNormal(Principal principal) {
    for (Action action : actions) {
      if (!principal.onAnyNormal(action)) {
        return false;
      }
    }
    return true;
  }

  private boolean onDatabase(String database, Principal principal) {
    for (Action action : actions) {
      if (!principal.onDatabase(database, action)) {
        return false;
      }
    }
    return true;
  }

  /** A command of the admin database names the database it is about. */
  private static String databaseOf(CommandRequest request) {
    String named = Arguments.collection(request);
    return named == null ? request.database() : named;
  }

  private boolean onCollection(CommandRequest request, Principal principal) {
    String name = Arguments.collection(request);
    if (name == null) {
      // The command is going to complain about its argument: that may be told to some.
      return onDatabase(request.database(), principal);
    }
    String database = request.database();
    if (fullName) {
      Namespace namespace = Namespace.parse(name);
      database = namespace.database();
      name = namespace.collection();
    }
    for (Action action : actions) {
      if (!principal.onCollection(database, name, action)) {
        return false;
      }
    }
    return true;
  }
}
