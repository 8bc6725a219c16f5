package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A replica set that is to become a shard: checked, and asked what it has. For one thread. */
final class ShardCandidate {
  private static final long CALL_MILLIS_MAX = 30_000;

  private final NodeClient nodes;
  private final ConnectionString given;
  private final OperationContext operation;
  private final HostAndPort primary;
  private final RawDocument hello;

  /**
   * Finds the primary and checks that it may become a shard.
   *
   * @throws CommandException if it is not the primary of a replica set for shards
   */
  ShardCandidate(NodeClient nodes, ConnectionString given, OperationContext operation) {
    this.nodes = nodes;
    this.given = given;
    this.operation = operation;
    HostAndPort answering = answering();
    RawDocument said = hello(answering);
    String leader = DocumentFields.text(said, "primary");
    this.primary = leader == null ? answering : HostAndPort.parse(leader);
    this.hello = primary.equals(answering) ? said : hello(primary);
    check();
  }

  private HostAndPort answering() {
    CommandException failure = null;
    for (HostAndPort host : given.hosts()) {
      try {
        hello(host);
        return host;
      } catch (CommandException e) {
        operation.checkNow();
        failure = e;
      }
    }
    throw given.setName().isEmpty()
        ? failure
        : new CommandException(
            ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
            "Could not find host matching read preference { mode: \"primary\" } for set "
                + given.setName()
                + " :: caused by :: "
                + failure.getMessage());
  }

  private RawDocument hello(HostAndPort host) {
    return call(host, command -> command.appendInt32("hello", 1));
  }

  private RawDocument call(HostAndPort host, Consumer<BsonBuilder> command) {
    Duration timeout = Duration.ofMillis(operation.millisLeft(CALL_MILLIS_MAX));
    try {
      RawDocument reply =
          ShardPrimaries.await(operation, nodes.call(host, NodeRequest.admin(command, timeout)));
      CommandReplies.requireOk(reply);
      return reply;
    } catch (CommandException e) {
      operation.checkNow();
      if (!RetryableErrors.isRetryable(e.code().code())) {
        throw e;
      }
      // The same error would be about the config server, for a router.
      throw failed("Cannot ask " + host + " of " + given + " :: caused by :: " + e.getMessage());
    }
  }

  private void check() {
    if ("isdbgrid".equals(DocumentFields.text(hello, "msg"))) {
      throw new CommandException(ErrorCode.ILLEGAL_OPERATION, "cannot add a mongos as a shard");
    }
    if (!DocumentFields.isTrue(hello, "isWritablePrimary")) {
      throw new CommandException(
          ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
          given
              + " does not have a master. If this is a replica set, ensure that it has a healthy"
              + " primary and that the set has been properly initiated.");
    }
    String found = DocumentFields.text(hello, "setName");
    if (found == null) {
      throw failed(
          given.setName().isEmpty()
              ? "Cannot add " + given + " as a shard since it is not a replica set"
              : "host did not return a set name; is the replica set still initializing? "
                  + hello.toJson());
    }
    if (given.setName().isEmpty()) {
      throw failed(
          "host is part of set "
              + found
              + "; use replica set url format <setname>/<server1>,<server2>, ...");
    }
    if (!given.setName().equals(found)) {
      throw failed(
          "the provided connection string (%s) does not match the actual set name %s"
              .formatted(given, found));
    }
    if (hello.get("configsvr") != null) {
      throw failed(
          "Cannot add "
              + given
              + " as a shard since it is a config server: use transitionFromDedicatedConfigServer");
    }
    Set<HostAndPort> all = members();
    addHosts(all, "arbiters");
    for (HostAndPort host : given.hosts()) {
      if (!all.contains(host)) {
        throw failed(
            "in seed list %s, host %s does not belong to replica set %s; found %s"
                .formatted(given, host, found, hello.toJson()));
      }
    }
  }

  private static CommandException failed(String message) {
    return new CommandException(ErrorCode.OPERATION_FAILED, message);
  }

  String setName() {
    return given.setName();
  }

  /** All members with data. */
  Set<HostAndPort> members() {
    var members = new LinkedHashSet<HostAndPort>();
    addHosts(members, "hosts");
    addHosts(members, "passives");
    return members;
  }

  private void addHosts(Set<HostAndPort> members, String field) {
    DocumentFields.texts(hello, field).forEach(host -> members.add(HostAndPort.parse(host)));
  }

  /** With all members with data. */
  String connectionString() {
    return ConnectionString.of(setName(), members());
  }

  List<String> databases() {
    RawDocument reply =
        call(
            primary,
            command -> command.appendInt32("listDatabases", 1).appendBoolean("nameOnly", true));
    return DocumentFields.documents(reply, "databases").stream()
        .map(database -> DocumentFields.text(database, "name"))
        .toList();
  }

  /** Tells the set that it is a shard of this cluster. */
  void identify(String name, RawDocument version, String configServers) {
    RawValue clusterId = version.get("clusterId");
    try {
      call(
          primary,
          command -> {
            command.appendInt32("_addShard", 1).startDocument("shardIdentity");
            command.appendString("_id", "shardIdentity").appendString("shardName", name);
            command.append("clusterId", clusterId);
            command.appendString("configsvrConnectionString", configServers).end();
            // It may have been removed, and know what was true then.
            command.appendBoolean("anew", true);
            appendMajority(command);
          });
    } catch (CommandException e) {
      if (e.code() != ErrorCode.COMMAND_NOT_FOUND) {
        throw e;
      }
      throw failed("Cannot add " + given + " as a shard since it was not started with --shardsvr");
    }
  }

  /** Makes the set the primary shard of a database that it has brought. */
  void setDatabase(RawDocument database) {
    call(
        primary,
        command -> {
          command.append("_shardsvrSetDatabase", database.get("_id"));
          command.append("version", database.get("version"));
          appendMajority(command);
        });
  }

  /** The default concerns of the set. */
  RawDocument defaultConcerns() {
    return call(primary, command -> command.appendInt32("getDefaultRWConcern", 1));
  }

  /** The parameters of the set as a whole, with the time of those that were set. */
  List<RawDocument> parameters() {
    RawDocument reply = call(primary, command -> command.appendString("getClusterParameter", "*"));
    return DocumentFields.documents(reply, "clusterParameters");
  }

  void setParameter(String name, RawDocument value) {
    call(
        primary,
        command -> command.startDocument("setClusterParameter").appendDocument(name, value).end());
  }

  private static void appendMajority(BsonBuilder command) {
    command.startDocument("writeConcern").appendString("w", "majority").end();
  }
}
