package dev.wisent.server.authorization;

import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;

/** What commands need that are about a node or a cluster as a whole. */
final class ClusterRules {
  private static final String CONFIG = "config";

  private ClusterRules() {}

  /** Without the privilege the list has a user's own operations only, and has to say so. */
  static boolean currentOp(CommandRequest request, Principal principal) {
    return principal.onCluster(Action.INPROG) || Arguments.isTrue(request.body(), "$ownOps");
  }

  /** The files of a backup have everything, and are given to those who may read everything. */
  static boolean backup(CommandRequest request, Principal principal) {
    return principal.onAnyNormal(Action.FIND)
        && principal.onAnyBuckets(Action.FIND)
        && principal.onDatabase(CONFIG, Action.FIND)
        && principal.onDatabase("local", Action.FIND)
        && principal.onCollection("admin", "system.users", Action.FIND)
        && principal.onCollection("admin", "system.roles", Action.FIND);
  }

  /** Who may write the zones and shards in the metadata may also use the commands for it. */
  static boolean addShardToZone(CommandRequest request, Principal principal) {
    return principal.onCluster(Action.ENABLE_SHARDING)
        || principal.onCollection(CONFIG, "shards", Action.UPDATE);
  }

  /** A zone that has ranges keeps its last shard, which is as good as reading them. */
  static boolean removeShardFromZone(CommandRequest request, Principal principal) {
    return principal.onCluster(Action.ENABLE_SHARDING)
        || (principal.onCollection(CONFIG, "shards", Action.UPDATE)
            && principal.onCollection(CONFIG, "tags", Action.FIND));
  }

  static boolean zoneRange(CommandRequest request, Principal principal) {
    return principal.onCluster(Action.ENABLE_SHARDING)
        || (principal.onCollection(CONFIG, "shards", Action.FIND)
            && principal.onCollection(CONFIG, "tags", Action.FIND)
            && principal.onCollection(CONFIG, "tags", Action.UPDATE)
            && principal.onCollection(CONFIG, "tags", Action.REMOVE));
  }

  static boolean balancerChange(CommandRequest request, Principal principal) {
    return principal.onCollection(CONFIG, "settings", Action.UPDATE);
  }

  static boolean balancerStatus(CommandRequest request, Principal principal) {
    return principal.onCollection(CONFIG, "settings", Action.FIND);
  }
}
