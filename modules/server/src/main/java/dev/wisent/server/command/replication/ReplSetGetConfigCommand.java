package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code replSetGetConfig}: the configuration, and whether a majority has it. */
final class ReplSetGetConfigCommand implements Command {
  private final ReplicaSet set;
  private final ConfigServerField configServer;

  ReplSetGetConfigCommand(ReplicaSet set, ConfigServerField configServer) {
    this.set = set;
    this.configServer = configServer;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean commitmentStatus = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "commitmentStatus" -> commitmentStatus = reader.bool();
        default -> reader.unknown();
      }
    }
    ReplicaSetConfig config =
        set.config()
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.NOT_YET_INITIALIZED, "no replset config has been received"));
    if (commitmentStatus && set.state() != MemberState.PRIMARY) {
      throw new CommandException(
          ErrorCode.NOT_WRITABLE_PRIMARY, "commitmentStatus is only supported on primary.");
    }
    reply.startDocument("config");
    ConfigWriter.append(reply, config);
    configServer.append(reply);
    reply.end();
    if (commitmentStatus) {
      // It came through the log: what is here is on a majority.
      reply.appendBoolean("commitmentStatus", true);
    }
  }
}
