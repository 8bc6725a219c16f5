package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;

/**
 * {@code reIndex}: writes all indexes of a collection anew. Its writers wait meanwhile, which is
 * why MongoDB does not allow it in a replica set.
 */
public final class ReIndexCommand implements Command {
  private final Definitions definitions;
  private final boolean standalone;

  public ReIndexCommand(Definitions definitions, boolean standalone) {
    this.definitions = definitions;
    this.standalone = standalone;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    if (!standalone) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "reIndex is only allowed on a standalone mongod instance. Cannot reIndex '"
              + namespace
              + "' while replication is active");
    }
    List<RawDocument> indexes = definitions.reIndex(context.operation(), namespace).indexes();
    reply.appendInt32("nIndexesWas", indexes.size());
    reply.appendInt32("nIndexes", indexes.size());
    reply.startArray("indexes");
    for (int i = 0; i < indexes.size(); i++) {
      reply.appendDocument(i, indexes.get(i));
    }
    reply.end();
  }
}
