package dev.wisent.server.command.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.diagnostic.IndexFilter;
import dev.wisent.operation.diagnostic.PlanCaches;
import dev.wisent.operation.diagnostic.ShapeRequest;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code planCacheSetFilter}, {@code planCacheListFilters} and {@code planCacheClearFilters}: which
 * indexes plans for a query shape may use.
 */
public final class IndexFilterCommands {
  private final PlanCaches caches;

  public IndexFilterCommands(PlanCaches caches) {
    this.caches = caches;
  }

  public void list(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    List<IndexFilter> filters = caches.filters(NamespaceArgument.of(request));
    reply.startArray("filters");
    int index = 0;
    for (IndexFilter filter : filters == null ? List.<IndexFilter>of() : filters) {
      reply.startDocument(index++);
      reply.appendDocument("query", filter.query());
      reply.appendDocument("sort", filter.sort());
      reply.appendDocument("projection", filter.projection());
      if (filter.collation() != null) {
        reply.appendDocument("collation", filter.collation());
      }
      reply.startArray("indexes");
      for (int i = 0; i < filter.indexes().size(); i++) {
        reply.append(i, filter.indexes().get(i));
      }
      reply.end().end();
    }
    reply.end();
  }

  public void set(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ShapeArguments arguments = ShapeArguments.parse(request);
    ShapeRequest shape = arguments.shape(request);
    if (caches.filters(shape.namespace()) == null) {
      throw ShapeArguments.badValue("no such collection");
    }
    List<RawValue> indexes = indexes(arguments.indexes());
    if (shape.query() == null) {
      throw ShapeArguments.badValue("required field query missing");
    }
    caches.setFilter(context.operation(), shape, indexes);
  }

  private static List<RawValue> indexes(RawValue argument) {
    if (argument == null) {
      throw ShapeArguments.badValue("required field indexes missing");
    }
    if (!argument.isArray()) {
      throw ShapeArguments.badValue("required field indexes must be an array");
    }
    var indexes = new ArrayList<RawValue>();
    ElementCursor elements = argument.elements();
    while (elements.next()) {
      RawValue index = elements.value();
      if (!index.isDocument() && !index.isString()) {
        throw ShapeArguments.badValue("each item in indexes must be an object or string");
      }
      if (index.isDocument() && index.asDocument().isEmpty()) {
        throw ShapeArguments.badValue("index specification cannot be empty");
      }
      indexes.add(index.detached());
    }
    if (indexes.isEmpty()) {
      throw ShapeArguments.badValue("required field indexes must contain at least one index");
    }
    return indexes;
  }

  public void clear(CommandRequest request, CommandContext context, BsonBuilder reply) {
    caches.clearFilters(context.operation(), ShapeArguments.parse(request).shape(request));
  }
}
