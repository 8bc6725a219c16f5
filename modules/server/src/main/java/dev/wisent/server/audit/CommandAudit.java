package dev.wisent.server.audit;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationWrites;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The events of commands, by their names: the dispatcher asks before and after each command.
 * Attempts that fail are events too, with their error, except those that another event tells of. A
 * router leaves what others do for it to them, so that it is one event.
 */
public final class CommandAudit {
  /** MongoDB's result of an index build that did not succeed. */
  private static final int INDEX_BUILD_ABORTED = 276;

  private static final int UNAUTHORIZED = 13;

  /** What a router does itself. */
  private static final Set<AuditAction> OF_ROUTERS =
      EnumSet.of(
          AuditAction.APPLICATION_MESSAGE, AuditAction.CLIENT_METADATA, AuditAction.SHUTDOWN);

  private static final String CREATE_DATABASE = "_configsvrCreateDatabase";

  private static final Map<String, AuditAction> ACTIONS =
      Map.ofEntries(
          Map.entry("_configsvrAddShard", AuditAction.ADD_SHARD),
          Map.entry(CREATE_DATABASE, AuditAction.ENABLE_SHARDING),
          Map.entry("_configsvrRefineCollectionShardKey", AuditAction.REFINE_COLLECTION_SHARD_KEY),
          Map.entry("_configsvrRemoveShard", AuditAction.REMOVE_SHARD),
          Map.entry("_configsvrShardCollection", AuditAction.SHARD_COLLECTION),
          Map.entry("create", AuditAction.CREATE_COLLECTION),
          Map.entry("createIndexes", AuditAction.CREATE_INDEX),
          Map.entry("createRole", AuditAction.CREATE_ROLE),
          Map.entry("createUser", AuditAction.CREATE_USER),
          Map.entry("drop", AuditAction.DROP_COLLECTION),
          Map.entry("dropAllRolesFromDatabase", AuditAction.DROP_ALL_ROLES_FROM_DATABASE),
          Map.entry("dropAllUsersFromDatabase", AuditAction.DROP_ALL_USERS_FROM_DATABASE),
          Map.entry("dropDatabase", AuditAction.DROP_DATABASE),
          Map.entry("dropIndexes", AuditAction.DROP_INDEX),
          Map.entry("dropRole", AuditAction.DROP_ROLE),
          Map.entry("dropUser", AuditAction.DROP_USER),
          Map.entry("getClusterParameter", AuditAction.GET_CLUSTER_PARAMETER),
          Map.entry("grantPrivilegesToRole", AuditAction.GRANT_PRIVILEGES_TO_ROLE),
          Map.entry("grantRolesToRole", AuditAction.GRANT_ROLES_TO_ROLE),
          Map.entry("grantRolesToUser", AuditAction.GRANT_ROLES_TO_USER),
          Map.entry("hello", AuditAction.CLIENT_METADATA),
          Map.entry("isMaster", AuditAction.CLIENT_METADATA),
          Map.entry("logApplicationMessage", AuditAction.APPLICATION_MESSAGE),
          Map.entry("renameCollection", AuditAction.RENAME_COLLECTION),
          Map.entry("replSetInitiate", AuditAction.REPL_SET_RECONFIG),
          Map.entry("replSetReconfig", AuditAction.REPL_SET_RECONFIG),
          Map.entry("revokePrivilegesFromRole", AuditAction.REVOKE_PRIVILEGES_FROM_ROLE),
          Map.entry("revokeRolesFromRole", AuditAction.REVOKE_ROLES_FROM_ROLE),
          Map.entry("revokeRolesFromUser", AuditAction.REVOKE_ROLES_FROM_USER),
          Map.entry("setClusterParameter", AuditAction.SET_CLUSTER_PARAMETER),
          Map.entry("shutdown", AuditAction.SHUTDOWN),
          Map.entry("updateRole", AuditAction.UPDATE_ROLE),
          Map.entry("updateUser", AuditAction.UPDATE_USER));

  private final AuditLog log;
  private final boolean isRouter;
  private final Supplier<Optional<RawDocument>> setConfiguration;

  /**
   * @param isRouter whether others do what commands ask for
   * @param setConfiguration of the replica set as it is now, for the event that tells of another
   */
  public CommandAudit(
      AuditLog log, boolean isRouter, Supplier<Optional<RawDocument>> setConfiguration) {
    this.log = log;
    this.isRouter = isRouter;
    this.setConfiguration = setConfiguration;
  }

  /**
   * A command begins that its client may run.
   *
   * @param name the name in the command table
   * @return null if no event tells of its end
   */
  public Running begin(String name, CommandRequest request, ClientConnection client) {
    AuditAction action = log.isOn() ? ACTIONS.get(name) : null;
    if (action == null
        || (isRouter && !OF_ROUTERS.contains(action))
        || (name.equals(CREATE_DATABASE) && !isSet(request, "enableSharding"))
        || (action == AuditAction.CLIENT_METADATA && client.clientMetadata() != null)) {
      return null;
    }
    log.requireWritable();
    switch (action) {
      case SHUTDOWN -> {
        log.event(action, client, RawDocument.EMPTY, 0);
        return null;
      }
      case CREATE_INDEX -> indexEvents(request, client, "IndexBuildStarted", 0);
      case REPL_SET_RECONFIG -> {
        Optional<RawDocument> old = setConfiguration.get();
        return new Running(action, request, client, old);
      }
      default -> {}
    }
    return new Running(action, request, client, Optional.empty());
  }

  /**
   * Raises the events of collections and databases that a command has created, apart from the one
   * that it was about.
   *
   * @param result the error's number of the command; 0 for success
   */
  public void created(
      List<OperationWrites.Created> created, String name, ClientConnection client, int result) {
    if (created.isEmpty() || !log.isOn()) {
      return;
    }
    for (OperationWrites.Created each : created) {
      if (each.firstOfDatabase()) {
        String database = each.namespace().database();
        RawDocument param = new BsonBuilder().appendString("ns", database).toDocument();
        log.event(AuditAction.CREATE_DATABASE, client, param, result);
      }
      if (!name.equals("create")) {
        RawDocument param =
            new BsonBuilder().appendString("ns", each.namespace().full()).toDocument();
        log.event(AuditAction.CREATE_COLLECTION, client, param, result);
      }
    }
  }

  private static boolean isSet(CommandRequest request, String flag) {
    RawValue value = request.body().get(flag);
    return value != null && value.isTruthy();
  }

  private void indexEvents(
      CommandRequest request, ClientConnection client, String state, int result) {
    for (RawDocument index : request.documents("indexes")) {
      var param = new BsonBuilder();
      param.appendString("ns", request.namespaceText());
      RawValue name = index.get("name");
      if (name != null && name.isString()) {
        param.append("indexName", name);
      }
      param.appendDocument("indexSpec", index);
      param.appendString("indexBuildState", state);
      log.event(AuditAction.CREATE_INDEX, client, param.toDocument(), result);
    }
  }

  /** A command under way whose end is an event. */
  public final class Running {
    private final AuditAction action;
    private final CommandRequest request;
    private final ClientConnection client;
    private final Optional<RawDocument> before;

    private Running(
        AuditAction action,
        CommandRequest request,
        ClientConnection client,
        Optional<RawDocument> before) {
      this.action = action;
      this.request = request;
      this.client = client;
      this.before = before;
    }

    /**
     * Raises the event.
     *
     * @param result an error's number; 0 for success
     */
    public void ended(int result) {
      switch (action) {
        case CREATE_INDEX -> {
          boolean built = result == 0;
          indexEvents(
              request,
              client,
              built ? "IndexBuildSucceeded" : "IndexBuildAborted",
              built ? 0 : INDEX_BUILD_ABORTED);
        }
        case CLIENT_METADATA -> {
          if (client.clientMetadata() != null) {
            log.event(action, client, metadata(), result);
          }
        }
        case DROP_INDEX -> droppedIndexes(result);
        default -> {
          if (result != UNAUTHORIZED) {
            log.event(action, client, param(), result);
          }
        }
      }
    }

    private RawDocument metadata() {
      var param = new BsonBuilder();
      String local = client.localAddress();
      int colon = local.lastIndexOf(':');
      param.startDocument("localEndpoint");
      if (colon > 0) {
        param.appendString("ip", local.substring(0, colon));
        param.appendInt32("port", Integer.parseInt(local.substring(colon + 1)));
      }
      param.end();
      param.appendDocument("clientMetadata", client.clientMetadata());
      return param.toDocument();
    }

    private void droppedIndexes(int result) {
      RawValue index = request.body().get("index");
      if (index != null && index.isArray()) {
        for (ElementCursor each = index.elements(); each.next(); ) {
          droppedIndex(each.value(), result);
        }
      } else {
        droppedIndex(index, result);
      }
    }

    private void droppedIndex(RawValue index, int result) {
      var param = new BsonBuilder().appendString("ns", request.namespaceText());
      if (index != null) {
        param.append("indexName", index);
      }
      log.event(action, client, param.toDocument(), result);
    }

    private RawDocument param() {
      var param = new BsonBuilder();
      switch (action) {
        case CREATE_COLLECTION -> {
          param.appendString("ns", request.namespaceText());
          copy(param, "viewOn", "pipeline");
        }
        case DROP_COLLECTION -> param.appendString("ns", request.namespaceText());
        case DROP_DATABASE -> param.appendString("ns", request.database());
        case ENABLE_SHARDING -> param.append("ns", request.argument());
        case RENAME_COLLECTION -> {
          param.append("old", request.argument());
          RawValue to = request.body().get("to");
          if (to != null) {
            param.append("new", to);
          }
        }
        case SHARD_COLLECTION -> {
          param.append("ns", request.argument());
          copy(param, "key");
          param.startDocument("options");
          param.appendBoolean("unique", isSet(request, "unique"));
          param.end();
        }
        case REFINE_COLLECTION_SHARD_KEY -> {
          param.append("ns", request.argument());
          copy(param, "key");
        }
        case ADD_SHARD -> {
          RawValue name = request.body().get("name");
          param.append("shard", name == null ? request.argument() : name);
          param.append("connectionString", request.argument());
        }
        case REMOVE_SHARD -> param.append("shard", request.argument());
        case APPLICATION_MESSAGE -> param.append("msg", request.argument());
        case REPL_SET_RECONFIG -> {
          before.ifPresent(old -> param.appendDocument("old", old));
          param.append("new", request.argument());
        }
        case SET_CLUSTER_PARAMETER ->
            param.append("updatedClusterServerParameter", request.argument());
        case GET_CLUSTER_PARAMETER ->
            param.append("requestedClusterServerParameters", request.argument());
        default -> AccessEvents.append(action, request, param);
      }
      return param.toDocument();
    }

    private void copy(BsonBuilder param, String... names) {
      for (String name : names) {
        RawValue value = request.body().get(name);
        if (value != null) {
          param.append(name, value);
        }
      }
    }
  }
}
