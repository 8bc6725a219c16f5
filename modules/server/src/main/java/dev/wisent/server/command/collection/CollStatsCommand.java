package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/** {@code collStats}. */
public final class CollStatsCommand implements Command {
  private final Diagnostics diagnostics;

  public CollStatsCommand(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
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
    CollectionStatistics.append(diagnostics.figures(namespace), scale, reply);
  }
}
