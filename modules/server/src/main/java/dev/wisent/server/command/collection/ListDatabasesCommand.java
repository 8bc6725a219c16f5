package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.diagnostic.DatabaseFigures;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code listDatabases}. */
public final class ListDatabasesCommand implements Command {
  private static final long MEGABYTE = 1 << 20;

  private final Definitions definitions;
  private final Diagnostics diagnostics;

  public ListDatabasesCommand(Definitions definitions, Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
    this.definitions = definitions;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean nameOnly = false;
    RawDocument filter = RawDocument.EMPTY;
    Principal principal = request.principal();
    boolean onlyKnown = !principal.onCluster(Action.LIST_DATABASES);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "nameOnly" -> nameOnly = reader.bool();
        case "filter" -> filter = reader.document();
        case "authorizedDatabases" -> onlyKnown |= reader.bool();
        default -> reader.unknown();
      }
    }
    MatchExpression matching = MatchParser.parse(filter, QueryContexts.of(context.operation()));
    long total = 0;
    int position = 0;
    reply.startArray("databases");
    for (String name : names()) {
      if (onlyKnown && !principal.knows(name)) {
        continue;
      }
      long bytes = nameOnly ? 0 : bytesOf(name);
      RawDocument entry = entry(name, bytes, nameOnly);
      if (matching.matches(entry)) {
        reply.appendDocument(position++, entry);
        total += bytes;
      }
    }
    reply.end();
    if (!nameOnly) {
      reply.appendInt64("totalSize", total);
      reply.appendInt64("totalSizeMb", total / MEGABYTE);
    }
  }

  /** Every node has the three that are the server's, whether or not something is stored in them. */
  private Set<String> names() {
    Set<String> names = new TreeSet<>(List.of("admin", "config", "local"));
    names.addAll(definitions.databases());
    return names;
  }

  private long bytesOf(String name) {
    DatabaseFigures figures = diagnostics.figures(name);
    return figures.storageBytes() + figures.indexBytes();
  }

  private static RawDocument entry(String name, long bytes, boolean nameOnly) {
    var entry = new BsonBuilder().appendString("name", name);
    if (!nameOnly) {
      entry.appendInt64("sizeOnDisk", bytes);
      entry.appendBoolean("empty", false);
    }
    return entry.toDocument();
  }
}
