package dev.wisent.security.audit;

/** What an event of the audit log tells of, by MongoDB's {@code atype}. */
public enum AuditAction {
  ADD_SHARD("addShard"),
  APPLICATION_MESSAGE("applicationMessage"),
  AUTHENTICATE("authenticate"),
  AUTH_CHECK("authCheck"),
  CLIENT_METADATA("clientMetadata"),
  CREATE_COLLECTION("createCollection"),
  CREATE_DATABASE("createDatabase"),
  CREATE_INDEX("createIndex"),
  CREATE_ROLE("createRole"),
  CREATE_USER("createUser"),
  DROP_ALL_ROLES_FROM_DATABASE("dropAllRolesFromDatabase"),
  DROP_ALL_USERS_FROM_DATABASE("dropAllUsersFromDatabase"),
  DROP_COLLECTION("dropCollection"),
  DROP_DATABASE("dropDatabase"),
  DROP_INDEX("dropIndex"),
  DROP_ROLE("dropRole"),
  DROP_USER("dropUser"),
  ENABLE_SHARDING("enableSharding"),
  GET_CLUSTER_PARAMETER("getClusterParameter"),
  GRANT_PRIVILEGES_TO_ROLE("grantPrivilegesToRole"),
  GRANT_ROLES_TO_ROLE("grantRolesToRole"),
  GRANT_ROLES_TO_USER("grantRolesToUser"),
  LOGOUT("logout"),
  REFINE_COLLECTION_SHARD_KEY("refineCollectionShardKey"),
  REMOVE_SHARD("removeShard"),
  RENAME_COLLECTION("renameCollection"),
  REPL_SET_RECONFIG("replSetReconfig"),
  REVOKE_PRIVILEGES_FROM_ROLE("revokePrivilegesFromRole"),
  REVOKE_ROLES_FROM_ROLE("revokeRolesFromRole"),
  REVOKE_ROLES_FROM_USER("revokeRolesFromUser"),
  ROTATE_LOG("rotateLog"),
  SET_CLUSTER_PARAMETER("setClusterParameter"),
  SHARD_COLLECTION("shardCollection"),
  SHUTDOWN("shutdown"),
  STARTUP("startup"),
  UPDATE_ROLE("updateRole"),
  UPDATE_USER("updateUser");

  private final String text;

  AuditAction(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
