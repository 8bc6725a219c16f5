package dev.wisent.server.command.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code planCacheClear}: forgets the plans of a collection, or those for one query shape. */
public final class PlanCacheClearCommand implements Command {
  private final PlanCaches caches;

  public PlanCacheClearCommand(PlanCaches caches) {
    this.caches = caches;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    caches.clear(context.operation(), ShapeArguments.parse(request).shape(request));
  }
}
