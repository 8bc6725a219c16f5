package dev.wisent.server.command.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;

/** {@code planCacheClear}: forgets the plans of a collection, or those for one query shape. */
public final class PlanCacheClearCommand implements Command {
  private final NodeDatabase database;

  public PlanCacheClearCommand(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ShapeArguments arguments = ShapeArguments.parse(request);
    Namespace namespace = NamespaceArgument.of(request);
    database.views(namespace).refuse(namespace);
    Collection collection = database.collection(namespace);
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
