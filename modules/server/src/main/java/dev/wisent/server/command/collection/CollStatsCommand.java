package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/** {@code collStats}. */
public final class CollStatsCommand implements Command {
  private final CollectionStatistics statistics;

  public CollStatsCommand(CollectionStatistics statistics) {
    this.statistics = statistics;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    long scale = 1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "scale" -> scale = ScaleArgument.check(reader);
        default -> reader.unknown();
      }
    }
    reply.appendString("ns", namespace.full());
    statistics.append(namespace, scale, reply);
  }
}
