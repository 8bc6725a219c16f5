package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import java.util.ArrayList;
import java.util.List;

/** The stages that list collections: {@code $listCatalog} and {@code $listClusterCatalog}. */
final class CatalogSources {
  private static final String ADMIN = "admin";

  private final NodeDatabase database;

  CatalogSources(NodeDatabase database) {
    this.database = database;
  }

  /** What is stored of one collection, or, for the database {@code admin}, of all. */
  List<RawDocument> catalog(Namespace namespace) {
    if (!isDatabase(namespace)) {
      return of(namespace.database()).stream()
          .filter(entry -> entry.get("name").asString().equals(namespace.collection()))
          .toList();
    }
    if (!namespace.database().equals(ADMIN)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Collectionless $listCatalog must be run against the 'admin' database with"
              + " {aggregate: 1}");
    }
    return database.databases().stream().map(this::of).flatMap(List::stream).toList();
  }

  private List<RawDocument> of(String name) {
    var entries = new ArrayList<RawDocument>();
    for (Collection collection : database.inDatabase(name)) {
      entries.add(entry(collection));
    }
    for (ViewDefinition view : database.viewsIn(name)) {
      var out = new BsonBuilder();
      appendNames(view.namespace(), "view", out);
      entries.add(out.appendAll(view.options()).toDocument());
    }
    return entries;
  }

  private static void appendNames(Namespace namespace, String type, BsonBuilder out) {
    out.appendString("db", namespace.database());
    out.appendString("name", namespace.collection());
    out.appendString("type", type);
    out.appendString("ns", namespace.full());
  }

  private static RawDocument entry(Collection collection) {
    var out = new BsonBuilder();
    appendNames(collection.namespace(), "collection", out);
    out.startDocument("md");
    out.appendString("ns", collection.namespace().full());
    out.startDocument("options").appendAll(collection.definition().options());
    collection.definition().appendUuid("uuid", out);
    out.end();
    out.startArray("indexes");
    int count = 0;
    for (Index index : collection.indexes()) {
      out.startDocument(count++);
      out.appendDocument("spec", index.definition().spec());
      out.appendBoolean("ready", true);
      out.appendBoolean("multikey", index.isMultikey());
      out.end();
    }
    return out.end().end().toDocument();
  }

  /** As {@code listCollections} shows them, of one database or, for {@code admin}, of all. */
  List<RawDocument> clusterCatalog(Namespace namespace, RawDocument argument) {
    ArgumentReader options = ArgumentReader.of("$listClusterCatalog", argument);
    while (options.next()) {
      switch (options.name()) {
        // There are no shards, and nothing is balanced.
        case "shards", "balancingConfiguration", "tracked" -> options.bool();
        default -> options.unknown();
      }
    }
    List<String> names =
        namespace.database().equals(ADMIN) ? database.databases() : List.of(namespace.database());
    var entries = new ArrayList<RawDocument>();
    for (String name : names) {
      for (Collection collection : database.inDatabase(name)) {
        entries.add(shown(name, ListCollectionsCommand.entry(collection)));
      }
      for (ViewDefinition view : database.viewsIn(name)) {
        entries.add(shown(name, ListCollectionsCommand.entry(view)));
      }
    }
    return entries;
  }

  private static RawDocument shown(String database, RawDocument entry) {
    var out = new BsonBuilder();
    out.appendString("ns", database + "." + entry.get("name").asString());
    out.appendString("db", database);
    ElementCursor fields = entry.elements();
    while (fields.next()) {
      if (!fields.name().equals("name")) {
        out.append(fields.name(), fields.value());
      }
    }
    return out.appendBoolean("sharded", false).toDocument();
  }

  private static boolean isDatabase(Namespace namespace) {
    return namespace.collection().equals("$cmd.aggregate");
  }
}
