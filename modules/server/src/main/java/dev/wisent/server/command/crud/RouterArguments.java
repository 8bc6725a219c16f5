package dev.wisent.server.command.crud;

import dev.wisent.bson.ElementCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import java.util.EnumSet;
import java.util.Set;

/** What a router adds to the part of a pipeline that it sends to a shard. */
final class RouterArguments {
  private boolean fromRouter;
  private final Set<MetaType> carried = EnumSet.noneOf(MetaType.class);

  /** Reads an argument, which is unknown unless it is one of these. */
  void read(ArgumentReader reader, CommandContext context) {
    switch (reader.name()) {
      case "fromRouter" -> fromRouter = reader.bool();
      // What a shard gives is the same, be it merged or not: the router has split the pipeline.
      case "needsMerge" -> reader.bool();
      // Compared before the command runs.
      case "outputVersions" -> reader.document();
      case "carriedMetadata" -> readCarried(reader);
      case "runtimeConstants" -> RuntimeConstants.read(reader, context);
      default -> reader.unknown();
    }
  }

  private void readCarried(ArgumentReader reader) {
    ElementCursor names = ArgumentTypes.array(reader.path(), reader.value()).elements();
    while (names.next()) {
      carried.add(MetaType.parse(names.value()));
    }
  }

  /** What the pipeline is parsed with: a router may write what clients may not. */
  QueryContext context(QueryContext ofClient) {
    return fromRouter ? ofClient.ofRouter() : ofClient;
  }

  /** The pipeline with results that carry what the merge asks for. */
  Pipeline carrying(Pipeline pipeline) {
    return carried.isEmpty() ? pipeline : pipeline.carrying(carried);
  }
}
