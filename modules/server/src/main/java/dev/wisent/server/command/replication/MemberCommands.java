package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.replication.member.PositionReports;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.time.Duration;

/** Commands on a member whose work is a call of {@link ReplicaSetControl}. */
final class MemberCommands {
  private final ReplicaSetControl control;
  private final ConfigServerField configServer;

  MemberCommands(ReplicaSetControl control, ConfigServerField configServer) {
    this.control = control;
    this.configServer = configServer;
  }

  /**
   * {@code replSetInitiate}; without a configuration the set is this node. {@code force}, which
   * MongoDB has not, begins the set also with data that another set still needs.
   */
  void initiate(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean force = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "force" -> force = reader.bool();
        default -> reader.unknown();
      }
    }
    RawValue argument = request.argument();
    RawDocument config =
        argument.isDocument() ? argument.asDocument().detached() : RawDocument.EMPTY;
    if (config.isEmpty()) {
      reply.appendString("info2", "no configuration specified. Using a default configuration");
    }
    configServer.check(config);
    control.initiate(config, force, context.operation());
  }

  /** {@code replSetStepUp}; {@code handOverTo} is what the member asks the primary with. */
  void stepUp(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long asker = -1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "skipDryRun" -> reader.bool();
        case "handOverTo" -> asker = reader.nonNegative();
        default -> reader.unknown();
      }
    }
    if (asker >= 0) {
      control.handOver((int) asker);
    } else {
      control.stepUp(context.operation());
    }
  }

  /** {@code replSetFreeze}. */
  void freeze(CommandRequest request, CommandContext context, BsonBuilder reply) {
    refuseArguments(request);
    long seconds = ArgumentTypes.nonNegative("replSetFreeze.replSetFreeze", request.argument());
    control.freeze(Duration.ofSeconds(seconds));
    if (seconds == 0) {
      reply.appendString("info", "unfreezing");
    } else if (seconds == 1) {
      reply.appendString("warning", "you really want to freeze for only 1 second?");
    }
  }

  /** {@code replSetMaintenance}. */
  void maintenance(CommandRequest request, CommandContext context, BsonBuilder reply) {
    refuseArguments(request);
    control.maintenance(request.argument().isTruthy(), context.operation());
  }

  /** {@code replSetSyncFrom}: all members follow the primary, so only that can be asked for. */
  void syncFrom(CommandRequest request, CommandContext context, BsonBuilder reply) {
    refuseArguments(request);
    String host = ArgumentTypes.string("replSetSyncFrom.replSetSyncFrom", request.argument());
    String before = control.syncFrom(host);
    reply.appendString("syncFromRequested", host);
    if (!before.isEmpty()) {
      reply.appendString("prevSyncTarget", before);
    }
  }

  /** {@code replSetAbortPrimaryCatchUp}: a primary here has everything before it is one. */
  void abortCatchUp(CommandRequest request, CommandContext context, BsonBuilder reply) {
    throw new CommandException(ErrorCode.ILLEGAL_OPERATION, "The node is not in catch-up mode.");
  }

  /** {@code replSetGetRBID}: nothing is ever rolled back. */
  void rollbackId(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.appendInt32("rbid", 1);
  }

  /** {@code replSetRequestVotes}: members vote by another protocol. */
  void requestVotes(CommandRequest request, CommandContext context, BsonBuilder reply) {
    throw new CommandException(
        ErrorCode.INCOMPATIBLE_ELECTION_PROTOCOL,
        "members of this set elect by Raft, not by replSetRequestVotes");
  }

  /** {@code replSetHeartbeat}. */
  void heartbeat(CommandRequest request, CommandContext context, BsonBuilder reply) {
    control.heartbeat(Heartbeat.Request.read(request.body())).append(reply);
  }

  /** The primary makes this node a member. */
  void join(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawValue config = request.body().get("config");
    RawValue memberId = request.body().get("memberId");
    if (config == null || !config.isDocument() || memberId == null || !memberId.isNumber()) {
      throw ArgumentTypes.missing(request.name() + ".config");
    }
    control.join(JoinRequest.read(request.body())).append(reply);
  }

  /** {@code replSetUpdatePosition}. */
  void updatePosition(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.appendBoolean(PositionReports.AWAITED, control.updatePosition(request.body()));
  }

  private static void refuseArguments(CommandRequest request) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
  }
}
