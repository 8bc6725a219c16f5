package dev.wisent.cluster.embedded;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Takes from embedded servers what clients have left in them. */
public final class DataReset implements AutoCloseable {
  private static final Set<String> OWN_DATABASES = Set.of("admin", "config", "local");

  /** How many elections in a row may interrupt it. */
  private static final int ATTEMPTS = 5;

  private final EmbeddedServers servers;
  private final AdminCalls admin;

  public DataReset(EmbeddedServers servers) {
    this.servers = servers;
    this.admin = new AdminCalls(servers.entries().getFirst().options());
  }

  /**
   * Ends transactions and cursors, drops all databases, users and roles, and, of a cluster, zones
   * and settings of the balancer. Profiling and fail points are as at the start.
   */
  public synchronized void run() {
    servers.nodes().forEach(EmbeddedNode::resetSettings);
    for (int attempt = 1; ; attempt++) {
      EmbeddedNode primary = primary();
      try {
        reset(primary.address());
        return;
      } catch (CommandException e) {
        if (attempt == ATTEMPTS || EmbeddedSet.isPrimary(admin, primary)) {
          throw e;
        }
      }
    }
  }

  private EmbeddedNode primary() {
    var found = new ArrayList<EmbeddedNode>();
    Predicate<EmbeddedNode> isPrimary = node -> EmbeddedSet.isPrimary(admin, node);
    admin.await(
        "a primary", () -> servers.entries().stream().filter(isPrimary).anyMatch(found::add));
    return found.getFirst();
  }

  private void reset(String primary) {
    for (EmbeddedNode entry : servers.entries()) {
      admin.run(entry.address(), command -> command.startArray("killAllSessions").end());
    }
    for (String database : databases(primary)) {
      if (!OWN_DATABASES.contains(database)) {
        admin.run(primary, database, command -> command.appendInt32("dropDatabase", 1));
      }
    }
    dropUsers(primary);
    for (String collection : collectionsOfAdmin(primary)) {
      admin.run(primary, command -> command.appendString("drop", collection));
    }
    if (servers instanceof EmbeddedCluster) {
      resetBalancing(primary);
    }
  }

  private List<String> databases(String primary) {
    RawDocument reply =
        admin.run(
            primary,
            command -> command.appendInt32("listDatabases", 1).appendBoolean("nameOnly", true));
    return values(reply, "databases").stream()
        .map(database -> database.asDocument().get("name").asString())
        .toList();
  }

  private void dropUsers(String primary) {
    for (String database : databasesOf(primary, "system.users")) {
      admin.run(primary, database, command -> command.appendInt32("dropAllUsersFromDatabase", 1));
    }
    for (String database : databasesOf(primary, "system.roles")) {
      admin.run(primary, database, command -> command.appendInt32("dropAllRolesFromDatabase", 1));
    }
  }

  private List<String> databasesOf(String primary, String collection) {
    return strings(
        admin.run(
            primary,
            command -> command.appendString("distinct", collection).appendString("key", "db")),
        "values");
  }

  private List<String> collectionsOfAdmin(String primary) {
    return all(primary, "admin", command -> command.appendInt32("listCollections", 1)).stream()
        .map(collection -> collection.get("name").asString())
        .filter(name -> !name.startsWith("system."))
        .toList();
  }

  private void resetBalancing(String router) {
    for (RawDocument range : find(router, "tags")) {
      admin.run(
          router,
          command -> {
            command.append("updateZoneKeyRange", range.get("ns"));
            command.append("min", range.get("min")).append("max", range.get("max"));
            command.appendNull("zone");
          });
    }
    for (RawDocument shard : find(router, "shards")) {
      for (String zone : strings(shard, "tags")) {
        admin.run(
            router,
            command -> {
              command.append("removeShardFromZone", shard.get("_id"));
              command.appendString("zone", zone);
            });
      }
    }
    if (!find(router, "settings").isEmpty()) {
      admin.run(
          router,
          "config",
          command -> {
            command.appendString("delete", "settings").startArray("deletes").startDocument(0);
            command.startDocument("q").end().appendInt32("limit", 0).end().end();
          });
      admin.run(router, command -> command.appendInt32("balancerStart", 1));
    }
  }

  private List<RawDocument> find(String router, String collection) {
    return all(router, "config", command -> command.appendString("find", collection));
  }

  /** All results of a command that opens a cursor. */
  private List<RawDocument> all(String address, String database, Consumer<BsonBuilder> command) {
    var documents = new ArrayList<RawDocument>();
    RawDocument cursor = admin.run(address, database, command).get("cursor").asDocument();
    addAll(values(cursor, "firstBatch"), documents);
    while (cursor.get("id").asInt64() != 0) {
      RawValue id = cursor.get("id");
      String namespace = cursor.get("ns").asString();
      String collection = namespace.substring(namespace.indexOf('.') + 1);
      RawDocument reply =
          admin.run(
              address,
              database,
              more -> more.append("getMore", id).appendString("collection", collection));
      cursor = reply.get("cursor").asDocument();
      addAll(values(cursor, "nextBatch"), documents);
    }
    return documents;
  }

  private static void addAll(List<RawValue> batch, List<RawDocument> documents) {
    batch.forEach(each -> documents.add(each.asDocument()));
  }

  private static List<String> strings(RawDocument document, String field) {
    return values(document, field).stream().map(RawValue::asString).toList();
  }

  /** Of an array; none if the field is missing. */
  private static List<RawValue> values(RawDocument document, String field) {
    var values = new ArrayList<RawValue>();
    RawValue array = document.get(field);
    if (array != null) {
      ElementCursor elements = array.elements();
      while (elements.next()) {
        values.add(elements.value());
      }
    }
    return values;
  }

  @Override
  public void close() {
    admin.close();
  }
}
