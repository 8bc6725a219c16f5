package dev.wisent.server.command.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/** {@code planCacheClear}: forgets the plans of a collection, or those for one query shape. */
public final class PlanCacheClearCommand implements Command {
  private final Catalog catalog;

  public PlanCacheClearCommand(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ShapeArguments arguments = ShapeArguments.parse(request);
    Collection collection = catalog.find(NamespaceArgument.of(request));
    if (collection == null) {
      return;
    }
    if (arguments.query() == null) {
      collection.planCache().clear();
    } else {
      collection.planCache().clear(arguments.shape(collection, context));
    }
  }
}
