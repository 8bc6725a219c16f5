package dev.wisent.server.command.plan;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.plan.IndexFilters;
import dev.wisent.operation.Namespace;
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
  private final NodeDatabase database;

  public IndexFilterCommands(NodeDatabase database) {
    this.database = database;
  }

  /** Null where there is none; views have no plans of their own. */
  private Collection collection(CommandRequest request) {
    Namespace namespace = NamespaceArgument.of(request);
    database.views(namespace).refuse(namespace);
    return database.collection(namespace);
  }

  public void list(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    Collection collection = collection(request);
    reply.startArray("filters");
    int index = 0;
    List<IndexFilters.Filter> filters =
        collection == null ? List.of() : collection.indexFilters().all();
    for (IndexFilters.Filter filter : filters) {
      reply.startDocument(index++);
      reply.appendDocument("query", filter.query());
      reply.appendDocument("sort", filter.sort());
      reply.appendDocument("projection", filter.projection());
      if (filter.collation() != null) {
        reply.appendDocument("collation", filter.collation().document());
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
    Collection collection = collection(request);
    if (collection == null) {
      throw ShapeArguments.badValue("no such collection");
    }
    List<RawValue> indexes = indexes(arguments.indexes());
    var shape = arguments.shape(collection, context);
    var filter =
        new IndexFilters.Filter(
            shape,
            arguments.query().detached(),
            arguments.sort(),
            arguments.projection(),
            arguments.collation().or(collection.collation()),
            indexes);
    collection.indexFilters().set(filter);
    collection.planCache().clear(shape);
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
    ShapeArguments arguments = ShapeArguments.parse(request);
    Collection collection = collection(request);
    if (collection == null) {
      return;
    }
    if (arguments.query() != null) {
      var shape = arguments.shape(collection, context);
      collection.indexFilters().clear(shape);
      collection.planCache().clear(shape);
      return;
    }
    List<IndexFilters.Filter> filters = collection.indexFilters().all();
    collection.indexFilters().clear();
    filters.forEach(filter -> collection.planCache().clear(filter.shape()));
  }
}
