package dev.wisent.server.command.replication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code replSetReconfig}: another configuration; with {@code force} also without a majority. */
final class ReplSetReconfigCommand implements Command {
  private final ReplicaSetControl control;
  private final ConfigServerField configServer;

  ReplSetReconfigCommand(ReplicaSetControl control, ConfigServerField configServer) {
    this.control = control;
    this.configServer = configServer;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean force = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "force" -> force = reader.bool();
        default -> reader.unknown();
      }
    }
    RawDocument config =
        ArgumentTypes.document("replSetReconfig.replSetReconfig", request.argument()).detached();
    configServer.check(config);
    control.reconfigure(config, force, context.operation());
  }
}
