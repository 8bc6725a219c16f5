package dev.wisent.security.role;

import static dev.wisent.security.role.RolePrivileges.ofAdmin;

import dev.wisent.security.privilege.Action;
import java.util.List;
import java.util.Set;

/** The roles of those that watch and manage servers. */
final class ClusterRoles {
  private static final Set<Action> FIND = Set.of(Action.FIND);
  private static final Set<Action> WRITE = Set.of(Action.INSERT, Action.UPDATE, Action.REMOVE);

  static final RoleDefinition CLUSTER_MONITOR = ofAdmin("clusterMonitor", monitor());
  static final RoleDefinition HOST_MANAGER = ofAdmin("hostManager", hosts());
  static final RoleDefinition CLUSTER_MANAGER = ofAdmin("clusterManager", manager());

  static final RoleDefinition CLUSTER_ADMIN =
      ofAdmin(
          "clusterAdmin",
          new RolePrivileges()
              .and(CLUSTER_MONITOR)
              .and(HOST_MANAGER)
              .and(CLUSTER_MANAGER)
              .onAllDatabases(Set.of(Action.DROP_DATABASE))
              .onAny(Action.IMPORT_COLLECTION, Action.EXPORT_COLLECTION));

  static final RoleDefinition DIRECT_SHARD_OPERATIONS =
      ofAdmin(
          "directShardOperations",
          new RolePrivileges().onCluster(Action.ISSUE_DIRECT_SHARD_OPERATIONS));

  private ClusterRoles() {}

  static List<RoleDefinition> all() {
    return List.of(
        CLUSTER_MONITOR, HOST_MANAGER, CLUSTER_MANAGER, CLUSTER_ADMIN, DIRECT_SHARD_OPERATIONS);
  }

  private static RolePrivileges monitor() {
    var privileges = new RolePrivileges();
    DatabaseRoles.read(privileges, "config");
    DatabaseRoles.read(privileges, "local");
    return privileges
        .onCluster(
            Action.ALL_COLLECTION_STATS,
            Action.CONN_POOL_STATS,
            Action.GET_CMD_LINE_OPTS,
            Action.GET_DEFAULT_RW_CONCERN,
            Action.GET_LOG,
            Action.GET_PARAMETER,
            Action.GET_SHARD_MAP,
            Action.HOST_INFO,
            Action.INPROG,
            Action.LIST_DATABASES,
            Action.LIST_SAMPLED_QUERIES,
            Action.LIST_SESSIONS,
            Action.LIST_SHARDS,
            Action.NETSTAT,
            Action.OPERATION_METRICS,
            Action.REPL_SET_GET_CONFIG,
            Action.REPL_SET_GET_STATUS,
            Action.SERVER_STATUS,
            Action.SHARDED_DATA_DISTRIBUTION,
            Action.SHARDING_STATE,
            Action.TOP,
            Action.USE_UUID)
        .onAllDatabases(ActionSets.MONITOR_COLLECTIONS)
        .onDatabase("config", ActionSets.MONITOR_COLLECTIONS)
        .onCollection("config", "system.sessions", ActionSets.MONITOR_COLLECTIONS)
        .onDatabase("local", ActionSets.MONITOR_COLLECTIONS)
        .onCollection("local", "system.replset", FIND)
        .onCollection("local", "replset.election", FIND)
        .onCollection("local", "replset.minvalid", FIND)
        .onEvery("system.profile", FIND);
  }

  private static RolePrivileges hosts() {
    return new RolePrivileges()
        .onCluster(
            Action.APPLICATION_MESSAGE,
            Action.AUDIT_CONFIGURE,
            Action.COMPACT,
            Action.CONN_POOL_SYNC,
            Action.DROP_CONNECTIONS,
            Action.FLUSH_ROUTER_CONFIG,
            Action.FSYNC,
            Action.INVALIDATE_USER_CACHE,
            Action.KILL_ANY_CURSOR,
            Action.KILL_ANY_SESSION,
            Action.KILLOP,
            Action.LOG_ROTATE,
            Action.OID_RESET,
            Action.OIDC_LIST_KEYS,
            Action.OIDC_REFRESH_KEYS,
            Action.REPL_SET_RESIZE_OPLOG,
            Action.RESYNC,
            Action.ROTATE_CERTIFICATES,
            Action.SET_PARAMETER,
            Action.SHUTDOWN,
            Action.TOUCH,
            Action.TRAFFIC_RECORD,
            Action.UNLOCK)
        .onAllDatabases(Set.of(Action.KILL_CURSORS));
  }

  private static RolePrivileges manager() {
    var privileges = new RolePrivileges();
    DatabaseRoles.read(privileges, "config");
    return privileges
        .onCluster(
            Action.ADD_SHARD,
            Action.APPEND_OPLOG_NOTE,
            Action.APPLICATION_MESSAGE,
            Action.CHECK_METADATA_CONSISTENCY,
            Action.CLEANUP_ORPHANED,
            Action.FLUSH_ROUTER_CONFIG,
            Action.GET_CHANGE_STREAM_STATE,
            Action.GET_CLUSTER_PARAMETER,
            Action.GET_DEFAULT_RW_CONCERN,
            Action.LIST_SESSIONS,
            Action.LIST_SHARDS,
            Action.QUERY_SETTINGS,
            Action.QUERY_STATS_READ,
            Action.QUERY_STATS_READ_TRANSFORMED,
            Action.REMOVE_SHARD,
            Action.REPL_SET_CONFIGURE,
            Action.REPL_SET_GET_CONFIG,
            Action.REPL_SET_GET_STATUS,
            Action.REPL_SET_STATE_CHANGE,
            Action.RESYNC,
            Action.RUN_TENANT_MIGRATION,
            Action.SET_CHANGE_STREAM_STATE,
            Action.SET_CLUSTER_PARAMETER,
            Action.SET_DEFAULT_RW_CONCERN,
            Action.SET_FEATURE_COMPATIBILITY_VERSION,
            Action.TRANSITION_FROM_DEDICATED_CONFIG_SERVER,
            Action.TRANSITION_TO_DEDICATED_CONFIG_SERVER)
        .onAllDatabases(ActionSets.MANAGE_COLLECTIONS)
        .onAllBuckets(ActionSets.MANAGE_COLLECTIONS)
        .onDatabase("config", ActionSets.MANAGE_COLLECTIONS)
        .onDatabase("local", ActionSets.MANAGE_COLLECTIONS)
        .onCollection("local", "system.replset", ActionSets.READ)
        .onAny(Action.DB_CHECK)
        .onCollection("local", "system.healthlog", ActionSets.READ)
        .onDatabase("config", WRITE)
        .onDatabase("local", WRITE)
        .onCollection("local", "replset.election", WRITE)
        .onCollection("local", "replset.minvalid", WRITE);
  }
}
