package dev.wisent.cluster.router.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.RoutingCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The stages that list the collections of the cluster: {@code $listCatalog} is what each shard has
 * stored, {@code $listClusterCatalog} what the primary shards of databases list, with what the
 * config servers know of it.
 */
final class ClusterCatalog {
  private static final String ADMIN = "admin";
  private static final String CONFIG = "config";
  private static final long CHUNK_MEGABYTES_DEFAULT = 128;
  private static final int MEGABYTE = 1 << 20;

  private final RoutingCatalog catalog;
  private final ShardReports reports;

  ClusterCatalog(RoutingCatalog catalog, AllShards shards) {
    this.catalog = catalog;
    this.reports = new ShardReports(shards);
  }

  /** What {@code $listClusterCatalog} is asked for beside the collections. */
  private record Extras(boolean shards, boolean balancing, boolean tracked) {
    static Extras of(RawDocument argument) {
      boolean shards = false;
      boolean balancing = false;
      boolean tracked = false;
      ArgumentReader options = ArgumentReader.of("$listClusterCatalog", argument);
      while (options.next()) {
        switch (options.name()) {
          case "shards" -> shards = options.bool();
          case "balancingConfiguration" -> balancing = options.bool();
          case "tracked" -> tracked = options.bool();
          default -> options.unknown();
        }
      }
      return new Extras(shards, balancing, tracked);
    }
  }

  /** What each shard has stored, of all databases. */
  List<RawDocument> stored(OperationContext operation) {
    return reports.ofEach(
        operation,
        "$listCatalog",
        RawDocument.EMPTY,
        (entry, shard) ->
            new BsonBuilder(entry.length() + 32)
                .appendAll(entry)
                .appendString("shard", shard)
                .toDocument());
  }

  /** The collections of one database or, for {@code admin}, of all. */
  List<RawDocument> listed(OperationContext operation, String database, RawDocument argument) {
    Extras extras = Extras.of(argument);
    Map<String, CollectionDocument> sharded =
        find(operation, "collections").stream()
            .map(CollectionDocument::of)
            .collect(Collectors.toMap(each -> each.namespace().full(), Function.identity()));
    long megabytes = extras.balancing() ? chunkMegabytes(operation) : 0;
    var entries = new ArrayList<RawDocument>();
    for (String name : database.equals(ADMIN) ? databases(operation) : Set.of(database)) {
      DatabaseRouting routing = catalog.database(operation, name);
      if (routing == null && !isOfConfigServers(name)) {
        continue;
      }
      String primary = routing == null ? ShardCalls.CONFIG : routing.primaryShard();
      for (RawDocument each : reports.of(operation, listCollections(name, routing, primary))) {
        var namespace = new Namespace(name, each.get("name").asString());
        CollectionDocument known = sharded.get(namespace.full());
        boolean isSharded = known != null && !known.unsplittable();
        BsonBuilder entry = entry(namespace, each).appendBoolean("sharded", isSharded);
        if (isSharded) {
          entry.appendDocument("shardKey", known.key());
        }
        if (extras.shards()) {
          appendShards(operation, namespace, primary, entry);
        }
        if (extras.balancing() && isSharded) {
          appendBalancing(known, megabytes, entry);
        }
        if (extras.tracked()) {
          entry.appendBoolean("tracked", known != null);
        }
        entries.add(entry.toDocument());
      }
    }
    return entries;
  }

  private static boolean isOfConfigServers(String database) {
    return database.equals(ADMIN) || database.equals(CONFIG);
  }

  private Set<String> databases(OperationContext operation) {
    var names = new TreeSet<String>(Set.of(ADMIN, CONFIG));
    find(operation, "databases").forEach(each -> names.add(each.get("_id").asString()));
    return names;
  }

  private List<RawDocument> find(OperationContext operation, String collection) {
    RawDocument command = new BsonBuilder().appendString("find", collection).toDocument();
    return reports.of(operation, ShardRequest.control(ShardCalls.CONFIG, CONFIG, command));
  }

  private static ShardRequest listCollections(
      String name, DatabaseRouting routing, String primary) {
    var command = new BsonBuilder().appendInt32("listCollections", 1);
    if (routing != null) {
      command.appendDocument("databaseVersion", routing.version().toDocument());
    }
    return ShardRequest.control(primary, name, command.toDocument());
  }

  /** As {@code listCollections} shows it, by its whole name. */
  private static BsonBuilder entry(Namespace namespace, RawDocument listed) {
    var out = new BsonBuilder(listed.length() + 128);
    out.appendString("ns", namespace.full()).appendString("db", namespace.database());
    ElementCursor fields = listed.elements();
    while (fields.next()) {
      if (!fields.name().equals("name")) {
        out.appendElement(fields);
      }
    }
    return out;
  }

  private void appendShards(
      OperationContext operation, Namespace namespace, String primary, BsonBuilder out) {
    CollectionRouting routing = catalog.collection(operation, namespace);
    Set<String> names = routing == null ? Set.of(primary) : routing.table().shards();
    out.startArray("shards");
    int count = 0;
    for (String name : new TreeSet<>(names)) {
      out.appendString(Integer.toString(count++), name);
    }
    out.end();
  }

  private static void appendBalancing(CollectionDocument known, long megabytes, BsonBuilder out) {
    out.appendBoolean("balancingEnabled", !known.noBalance() && known.allowMigrations());
    out.startDocument("balancingEnabledReason");
    out.appendBoolean("enableBalancing", !known.noBalance());
    out.appendBoolean("allowMigrations", known.allowMigrations());
    out.end();
    out.appendBoolean("autoMergingEnabled", false);
    long own = known.maxChunkSizeBytes() / MEGABYTE;
    out.appendInt32("chunkSize", (int) (own == 0 ? megabytes : own));
  }

  private long chunkMegabytes(OperationContext operation) {
    for (RawDocument setting : find(operation, "settings")) {
      RawValue value = setting.get("value");
      if (setting.get("_id").asString().equals("chunksize") && value != null && value.isNumber()) {
        return value.toLong();
      }
    }
    return CHUNK_MEGABYTES_DEFAULT;
  }
}
