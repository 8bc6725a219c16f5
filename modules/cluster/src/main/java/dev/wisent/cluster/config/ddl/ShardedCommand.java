package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.KeptOutcomes;
import dev.wisent.cluster.coordinator.Coordinators;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** A command on a sharded collection that its shards run as the client has given it. */
public final class ShardedCommand implements Command {
  /** The field of a result that tells why a shard has refused what others have done. */
  static final String REFUSED = "refused";

  private final String type;
  private final Coordinators coordinators;

  /**
   * @param type the name of the client's command
   */
  public ShardedCommand(String type, Coordinators coordinators) {
    this.type = type;
    this.coordinators = coordinators;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String namespace = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    var arguments = new BsonBuilder();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      arguments.append(reader.name(), reader.value());
    }
    RawDocument result =
        coordinators.run(
            context.operation(),
            KeptOutcomes.keyOf(request),
            type,
            namespace,
            arguments.toDocument());
    RawDocument refused = DocumentFields.document(result, REFUSED);
    if (!refused.isEmpty()) {
      throw new CommandException(
          ErrorCode.ofNumber((int) DocumentFields.number(refused, "code")),
          DocumentFields.text(refused, "errmsg"));
    }
    reply.appendAll(result);
  }
}
