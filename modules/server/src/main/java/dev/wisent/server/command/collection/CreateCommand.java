package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.UUID;

/** {@code create}. */
public final class CreateCommand implements Command {
  private final NodeDatabase database;

  public CreateCommand(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    create(request, RandomSource.system().nextUuid(), context);
  }

  /** Creates the collection under a UUID that is given. */
  public void create(CommandRequest request, UUID uuid, CommandContext context) {
    Namespace namespace = NamespaceArgument.of(request);
    SystemNamespaces.checkCreate(namespace);
    RawDocument options =
        CreateOptions.parse(request, namespace, context.operation().clock().wallMillis());
    ViewDefinition view = ViewOptions.view(namespace, options);
    ViewDefinition existingView = database.views(namespace).find(namespace);
    if (existingView != null) {
      ViewOptions.checkSame(existingView, view);
      return;
    }
    Collection existing = database.collection(namespace);
    if (existing != null) {
      // Creating what is there already, with the same options, is no error.
      if (CreateOptions.same(existing.definition().options(), options)) {
        return;
      }
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "namespace "
              + namespace
              + " already exists, but with different options: "
              + existing.definition().options().toJson());
    }
    if (view != null) {
      database.viewChanges(namespace).create(view, context.operation());
      return;
    }
    database.changes(namespace).create(namespace, options, uuid, context.operation());
  }
}
