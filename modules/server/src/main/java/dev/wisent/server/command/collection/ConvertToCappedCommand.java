package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.Set;

/**
 * {@code convertToCapped}: the documents are copied into a capped collection, which then takes the
 * place of the first; only the {@code _id} index is kept, as in MongoDB. Writers of the collection
 * and changes of the catalog wait meanwhile.
 */
public final class ConvertToCappedCommand implements Command {
  private static final Set<String> LIMITS = Set.of("capped", "size", "max", "clusteredIndex");

  private final NodeDatabase database;

  public ConvertToCappedCommand(NodeDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.writable(request);
    long size = -1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "size" -> size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        default -> reader.unknown();
      }
    }
    if (size < 0) {
      throw ArgumentTypes.missing("convertToCapped.size");
    }
    var options = new BsonBuilder();
    CreateOptions.appendCapped(options, size, 0);
    options.appendBoolean("temp", true); // until it has its name, so that a crash leaves nothing
    RawDocument cappedOptions = options.toDocument();
    LocalDatabase part = database.of(namespace);
    part.changes()
        .exclusively(
            context.operation(),
            () -> {
              convert(part, namespace, cappedOptions, context.operation());
              return null;
            });
  }

  private static void convert(
      LocalDatabase part, Namespace namespace, RawDocument options, OperationContext operation) {
    Collection source = part.catalog().find(namespace);
    if (source == null) {
      part.views().refuse(namespace, "cannot convert a view to a capped collection: " + namespace);
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "source collection " + namespace + " does not exist");
    }
    var temporary =
        new Namespace(
            namespace.database(), "tmp" + RandomSource.system().nextUuid() + ".convertToCapped");
    operation.acquire(source.exclusiveLock());
    try {
      source.requireNoBuilds();
      RawDocument kept = withOptionsOf(source, options);
      Collection target = part.changes().create(temporary, kept, operation);
      try {
        DocumentCopy.run(part, namespace, temporary, operation);
      } catch (RuntimeException e) {
        part.changes().drop(target, operation);
        throw e;
      }
      part.changes().rename(target, namespace, source, operation);
    } finally {
      source.exclusiveLock().unlock();
    }
  }

  /** What the collection has beside its limits stays: its collation, its validator. */
  private static RawDocument withOptionsOf(Collection source, RawDocument limits) {
    var all = new BsonBuilder();
    ElementCursor options = source.definition().options().elements();
    while (options.next()) {
      if (!LIMITS.contains(options.name())) {
        all.appendElement(options);
      }
    }
    return all.appendAll(limits).toDocument();
  }
}
