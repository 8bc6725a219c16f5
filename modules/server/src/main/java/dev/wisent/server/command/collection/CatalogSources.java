package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.ArgumentReader;
import java.util.ArrayList;
import java.util.List;

/** The stages that list collections: {@code $listCatalog} and {@code $listClusterCatalog}. */
final class CatalogSources {
  private static final String ADMIN = "admin";

  private final Definitions definitions;

  CatalogSources(Definitions definitions) {
    this.definitions = definitions;
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
    return definitions.databases().stream().map(this::of).flatMap(List::stream).toList();
  }

  private List<RawDocument> of(String name) {
    var entries = new ArrayList<RawDocument>();
    for (CollectionInfo each : definitions.collections(name)) {
      entries.add(entry(each));
    }
    return entries;
  }

  private static void appendNames(Namespace namespace, String type, BsonBuilder out) {
    out.appendString("db", namespace.database());
    out.appendString("name", namespace.collection());
    out.appendString("type", type);
    out.appendString("ns", namespace.full());
  }

  private RawDocument entry(CollectionInfo info) {
    var out = new BsonBuilder();
    appendNames(info.namespace(), info.isView() ? "view" : "collection", out);
    if (info.isView()) {
      return out.appendAll(info.options()).toDocument();
    }
    out.startDocument("md");
    out.appendString("ns", info.namespace().full());
    out.startDocument("options").appendAll(info.options());
    out.appendUuid("uuid", info.uuid());
    out.end();
    out.startArray("indexes");
    int count = 0;
    List<IndexInfo> indexes = definitions.indexes(info.namespace());
    for (IndexInfo index : indexes == null ? List.<IndexInfo>of() : indexes) {
      if (index.build() == null) {
        out.startDocument(count++);
        out.appendDocument("spec", index.spec());
        out.appendBoolean("ready", true);
        out.appendBoolean("multikey", index.multikey());
        out.end();
      }
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
        namespace.database().equals(ADMIN)
            ? definitions.databases()
            : List.of(namespace.database());
    var entries = new ArrayList<RawDocument>();
    for (String name : names) {
      for (CollectionInfo each : definitions.collections(name)) {
        entries.add(shown(name, ListCollectionsCommand.entry(each)));
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
