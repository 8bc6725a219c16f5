package dev.wisent.server.authorization;

import dev.wisent.bson.RawValue;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.privilege.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/** The rule of each command. */
final class AccessRules {
  private static final AccessRule LOGIN = (request, principal) -> true;

  private AccessRules() {}

  /**
   * By the name of the command and its aliases. Fails for a command whose arguments decide, and
   * that has no rule here: it would always be refused.
   *
   * @param cursors and operations belong to users
   * @param mayRun whether a command inside another one may run
   */
  static Map<String, AccessRule> of(
      List<CommandSpec> rows,
      CursorRegistry cursors,
      OperationRegistry operations,
      BiPredicate<CommandRequest, Principal> mayRun) {
    Map<String, AccessRule> special = byArguments(cursors, mayRun);
    special.put("killOp", (request, principal) -> killOp(request, principal, operations));
    var rules = new HashMap<String, AccessRule>();
    for (CommandSpec row : rows) {
      AccessRule rule = special.get(row.name());
      if (rule == null && !PrivilegeRule.decides(row.scope().privilege())) {
        throw new IllegalStateException(
            "the arguments of " + row.name() + " decide what it needs: it takes a rule here");
      }
      AccessRule used = rule == null ? PrivilegeRule.of(row) : rule;
      rules.put(row.name(), used);
      row.aliases().forEach(alias -> rules.put(alias, used));
    }
    return Map.copyOf(rules);
  }

  /**
   * The same for an operation that has ended: what others run is not to be known. Those of shards
   * run for their router, so that only the privilege tells who may end them.
   */
  private static boolean killOp(
      CommandRequest request, Principal principal, OperationRegistry operations) {
    RawValue id = Arguments.field(request.body(), "op");
    return id == null // The command refuses it.
        || principal.onCluster(Action.KILLOP)
        || (id.isNumber() && principal.owns(operations.ownerOf((int) id.toLong())));
  }

  private static Map<String, AccessRule> byArguments(
      CursorRegistry cursors, BiPredicate<CommandRequest, Principal> mayRun) {
    var ofCursors = new CursorRules(cursors);
    var rules = new HashMap<String, AccessRule>();
    rules.put("aggregate", DocumentRules::aggregate);
    rules.put("insert", DocumentRules::insert);
    rules.put("update", DocumentRules::update);
    rules.put("findAndModify", DocumentRules::findAndModify);
    rules.put("bulkWrite", DocumentRules::bulkWrite);
    rules.put("mapReduce", DocumentRules::mapReduce);
    rules.put("getMore", ofCursors::getMore);
    rules.put("killCursors", ofCursors::killCursors);
    rules.put("explain", new ExplainRule(mayRun));
    rules.put("applyOps", new ApplyOpsRule(mayRun));
    rules.put("create", CollectionRules::create);
    rules.put("collMod", CollectionRules::collMod);
    rules.put("renameCollection", CollectionRules::rename);
    rules.put("cloneCollectionAsCapped", CollectionRules::cloneAsCapped);
    rules.put("listCollections", CollectionRules::listCollections);
    rules.put("listDatabases", CollectionRules::listDatabases);
    rules.put("profile", CollectionRules::profile);
    rules.put("checkMetadataConsistency", CollectionRules::checkMetadata);
    rules.put("validateDBMetadata", CollectionRules::validateMetadata);
    addCluster(rules);
    addUsers(rules);
    return rules;
  }

  private static void addCluster(Map<String, AccessRule> rules) {
    rules.put("currentOp", ClusterRules::currentOp);
    rules.put("backupBegin", ClusterRules::backup);
    rules.put("backupRead", ClusterRules::backup);
    rules.put("backupEnd", ClusterRules::backup);
    // These leave alone what belongs to others.
    rules.put("killSessions", LOGIN);
    rules.put("killAllSessionsByPattern", LOGIN);
    rules.put("addShardToZone", ClusterRules::addShardToZone);
    rules.put("removeShardFromZone", ClusterRules::removeShardFromZone);
    rules.put("updateZoneKeyRange", ClusterRules::zoneRange);
    rules.put("balancerStart", ClusterRules::balancerChange);
    rules.put("balancerStop", ClusterRules::balancerChange);
    rules.put("balancerStatus", ClusterRules::balancerStatus);
  }

  private static void addUsers(Map<String, AccessRule> rules) {
    rules.put("_mergeAuthzCollections", UserRules::merge);
    rules.put("createUser", UserRules::createUser);
    rules.put("updateUser", UserRules::updateUser);
    rules.put("grantRolesToUser", UserRules::grantRoles);
    rules.put("revokeRolesFromUser", UserRules::revokeRoles);
    rules.put("usersInfo", UserRules::usersInfo);
    rules.put("createRole", UserRules::createRole);
    rules.put("updateRole", UserRules::updateRole);
    rules.put("grantRolesToRole", UserRules::grantRoles);
    rules.put("revokeRolesFromRole", UserRules::revokeRoles);
    rules.put("grantPrivilegesToRole", UserRules::grantPrivileges);
    rules.put("revokePrivilegesFromRole", UserRules::revokePrivileges);
    rules.put("rolesInfo", UserRules::rolesInfo);
  }
}
