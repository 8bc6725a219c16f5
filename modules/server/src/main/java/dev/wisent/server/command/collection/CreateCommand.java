package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.UUID;

/** {@code create}. */
public final class CreateCommand implements Command {
  private final Definitions definitions;

  public CreateCommand(Definitions definitions) {
    this.definitions = definitions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    create(request, null, context);
  }

  /**
   * Creates the collection.
   *
   * @param uuid null for a new one
   */
  public void create(CommandRequest request, UUID uuid, CommandContext context) {
    Namespace namespace = NamespaceArgument.of(request);
    SystemNamespaces.checkCreate(namespace);
    RawDocument options =
        CreateOptions.parse(request, namespace, context.operation().clock().wallMillis());
    if (request.isInTransaction() && options.get("viewOn") != null) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create a view in a multi-document transaction.");
    }
    definitions.create(context.operation(), new CreateRequest(namespace, options, uuid));
  }
}
