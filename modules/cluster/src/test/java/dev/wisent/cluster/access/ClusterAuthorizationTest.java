package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of a cluster with a key file, on a sharded collection and on one that is not. */
class ClusterAuthorizationTest {
  private static final String ROOT = "root";

  /** Reads and writes {@code shop}. */
  private static final String ANN = "ann";

  /** Reads {@code shop}. */
  private static final String BOB = "bob";

  /** Finds in {@code shop.sharded} only. */
  private static final String PICKER = "picker";

  @TempDir static Path directory;
  private static final Map<String, MongoClient> CLIENTS = new HashMap<>();
  private static EmbeddedCluster cluster;
  private static Path keyFile;

  @BeforeAll
  static void start() throws IOException {
    keyFile = directory.resolve("key");
    Files.writeString(keyFile, "onekeyforall");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    cluster = EmbeddedCluster.start(2, directory, ClusterAuthorizationTest::configure);
    try (MongoClient local = MongoClients.create(cluster.uri())) {
      local
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'root', roles: ['root']}"));
    }
    root("admin", "{balancerStop: 1}");
    root("admin", "{enableSharding: 'shop', primaryShard: 'shard0'}");
    for (int i = 0; i < 2; i++) {
      root("admin", "{addShardToZone: 'shard%d', zone: 'zone%d'}".formatted(i, i));
    }
    String range =
        "{updateZoneKeyRange: 'shop.sharded', min: {_id: %s}, max: {_id: %s}, zone: '%s'}";
    root("admin", range.formatted("{$minKey: 1}", "0", "zone0"));
    root("admin", range.formatted("0", "{$maxKey: 1}", "zone1"));
    root("admin", "{shardCollection: 'shop.sharded', key: {_id: 1}}");
    for (String namespace : List.of("shop.sharded", "shop.plain", "store.c")) {
      for (int i = -3; i < 3; i++) {
        collection(ROOT, namespace).insertOne(new Document("_id", i));
      }
    }
    create(ANN, "{role: 'readWrite', db: 'shop'}");
    create(BOB, "{role: 'read', db: 'shop'}");
    root(
        "admin",
        "{createRole: 'picks', roles: [], privileges:"
            + " [{resource: {db: 'shop', collection: 'sharded'}, actions: ['find']}]}");
    create(PICKER, "'picks'");
  }

  private static void configure(ServerOptions.Builder options) {
    options
        .cacheBytes(32 << 20)
        .setParameter("enableTestCommands", "1")
        .access(new AccessOptions(false, Optional.of(keyFile), ClusterAuthMode.KEY_FILE));
  }

  @AfterAll
  static void stop() {
    CLIENTS.values().forEach(MongoClient::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  private static MongoClient as(String user) {
    return CLIENTS.computeIfAbsent(user, name -> open(name, cluster.uri()));
  }

  private static MongoClient open(String user, String uri) {
    return MongoClients.create(uri.replace("mongodb://", "mongodb://" + user + ":" + user + "@"));
  }

  private static void create(String user, String roles) {
    root("admin", "{createUser: '%s', pwd: '%s', roles: [%s]}".formatted(user, user, roles));
  }

  private static void root(String database, String command) {
    as(ROOT).getDatabase(database).runCommand(Document.parse(command));
  }

  private static MongoCollection<Document> collection(String user, String namespace) {
    int dot = namespace.indexOf('.');
    return as(user)
        .getDatabase(namespace.substring(0, dot))
        .getCollection(namespace.substring(dot + 1));
  }

  private static int code(MongoClient client, String database, String command) {
    try {
      client.getDatabase(database).runCommand(Document.parse(command));
      return 0;
    } catch (MongoCommandException e) {
      return e.getCode();
    }
  }

  private static void refuses(String user, String database, String... commands) {
    for (String command : commands) {
      assertThatThrownBy(() -> as(user).getDatabase(database).runCommand(Document.parse(command)))
          .as(user + " " + command)
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> {
                assertThat(e.getCode()).as(command).isEqualTo(13);
                assertThat(e.getErrorMessage())
                    .startsWith("not authorized on " + database + " to execute command { ");
              });
    }
  }

  @Test
  void routersCheckReadsAndWrites() {
    for (String name : List.of("sharded", "plain")) {
      MongoCollection<Document> own = collection(ANN, "shop." + name);
      own.insertMany(List.of(new Document("_id", -9), new Document("_id", 9)));
      own.updateMany(new Document(), new Document("$set", new Document("x", 1)));
      own.deleteMany(Document.parse("{_id: {$in: [-9, 9]}}"));
      assertThat(collection(BOB, "shop." + name).find().into(new ArrayList<>())).hasSize(6);
      refuses(
          BOB,
          "shop",
          "{insert: '%s', documents: [{}]}".formatted(name),
          "{update: '%s', updates: [{q: {}, u: {$set: {x: 2}}, multi: true}]}".formatted(name),
          "{delete: '%s', deletes: [{q: {}, limit: 0}]}".formatted(name),
          "{findAndModify: '%s', query: {_id: 1}, remove: true}".formatted(name),
          "{aggregate: '%s', pipeline: [{$out: 'other'}], cursor: {}}".formatted(name),
          "{drop: '%s'}".formatted(name));
    }
    refuses(
        ANN,
        "store",
        "{find: 'c'}",
        "{insert: 'c', documents: [{}]}",
        "{listCollections: 1}",
        "{dropDatabase: 1}");
    refuses(
        ANN,
        "admin",
        "{shardCollection: 'shop.other', key: {_id: 1}}",
        "{moveChunk: 'shop.sharded', find: {_id: 0}, to: 'shard0'}",
        "{listShards: 1}",
        "{balancerStart: 1}",
        "{removeShard: 'shard1'}",
        "{find: 'system.users'}");
    refuses(ANN, "config", "{find: 'chunks'}", "{insert: 'settings', documents: [{}]}");
  }

  @Test
  void pipelinesReadNothingElse() {
    String lookup =
        "{aggregate: 'sharded', cursor: {}, pipeline:"
            + " [{$lookup: {from: 'plain', localField: '_id', foreignField: '_id', as: 'y'}}]}";
    refuses(
        PICKER,
        "shop",
        lookup,
        "{aggregate: 'sharded', pipeline: [{$unionWith: 'plain'}], cursor: {}}",
        "{aggregate: 'sharded', pipeline: [{$merge: {into: 'plain'}}], cursor: {}}",
        "{explain: {find: 'plain'}}",
        "{find: 'plain'}");
    assertThat(code(as(PICKER), "shop", lookup.replace("plain", "sharded"))).isZero();
    assertThat(code(as(BOB), "shop", lookup)).isZero();
    refuses(
        ANN,
        "shop",
        "{aggregate: 'sharded', pipeline: [{$merge: {into: {db: 'store', coll: 'c'}}}],"
            + " cursor: {}}");
    assertThat(as(PICKER).listDatabaseNames()).containsExactly("shop");
    assertThat(as(PICKER).getDatabase("shop").listCollectionNames().authorizedCollections(true))
        .containsExactly("sharded");
    assertThat(as(BOB).getDatabase("shop").listCollectionNames()).contains("plain", "sharded");
    refuses(PICKER, "shop", "{listCollections: 1}", "{collStats: 'sharded'}");
  }

  @Test
  void cursorsBelongToTheirUsers() {
    try (ClientSession session = as(ANN).startSession();
        MongoCursor<Document> cursor =
            collection(ANN, "shop.sharded").find(session).batchSize(2).iterator()) {
      cursor.next();
      String id = "{$numberLong: '" + cursor.getServerCursor().getId() + "'}";
      String more = "{getMore: " + id + ", collection: 'sharded'}";
      String kill = "{killCursors: 'sharded', cursors: [" + id + "]}";
      assertThat(code(as(BOB), "shop", more)).isEqualTo(13);
      refuses(BOB, "shop", kill);
      for (int i = 1; i < 6; i++) {
        assertThat(cursor.hasNext()).isTrue();
        cursor.next();
      }
    }
  }

  @Test
  void cursorsEndWithThePrivilegesOfTheirCommands() {
    create("dora", "'picks'");
    String longFilter = "'" + "x".repeat(5_000) + "'";
    for (String command :
        List.of(
            "{aggregate: 'sharded', pipeline: [{$unionWith: 'plain'}], cursor: {batchSize: 0}}",
            "{aggregate: 'sharded', pipeline: [{$match: {x: {$ne: %s}}}, {$unionWith: 'plain'}],"
                    .formatted(longFilter)
                + " cursor: {batchSize: 0}}",
            "{find: 'plain', filter: {x: {$ne: %s}}, batchSize: 0}".formatted(longFilter))) {
      root("admin", "{grantRolesToUser: 'dora', roles: [{role: 'read', db: 'shop'}]}");
      try (ClientSession session = as("dora").startSession()) {
        var shop = as("dora").getDatabase("shop");
        Document cursor =
            shop.runCommand(session, Document.parse(command)).get("cursor", Document.class);
        String more =
            "{getMore: {$numberLong: '%d'}, collection: '%s', batchSize: 1}"
                .formatted(
                    cursor.getLong("id"), cursor.getString("ns").substring("shop.".length()));
        assertThat(shop.runCommand(session, Document.parse(more))).containsEntry("ok", 1.0);
        root("admin", "{revokeRolesFromUser: 'dora', roles: [{role: 'read', db: 'shop'}]}");
        assertThatThrownBy(() -> shop.runCommand(session, Document.parse(more)))
            .as(command)
            .hasMessageContaining("not authorized for getMore with cursor id");
      }
    }
  }

  private static List<Document> operations(String user, String options) {
    return as(user)
        .getDatabase("admin")
        .aggregate(
            List.of(
                Document.parse("{$currentOp: {" + options + "}}"),
                Document.parse("{$match: {ns: 'shop.capped', op: 'getmore'}}")))
        .into(new ArrayList<>());
  }

  @Test
  void operationsBelongToTheirUsers() {
    root("shop", "{create: 'capped', capped: true, size: 4096}");
    collection(ROOT, "shop.capped").insertOne(new Document("_id", 1));
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () -> {
              try (MongoCursor<Document> cursor =
                  collection(ANN, "shop.capped")
                      .find()
                      .cursorType(CursorType.TailableAwait)
                      .maxAwaitTime(2, TimeUnit.MINUTES)
                      .iterator()) {
                cursor.next();
                cursor.next();
              }
            });
    await("it is seen on its shard", () -> !operations(ANN, "").isEmpty());
    await("it is seen on its router", () -> !operations(ANN, "localOps: true").isEmpty());
    assertThat(operations(BOB, "")).isEmpty();
    assertThat(operations(BOB, "localOps: true")).isEmpty();
    assertThat(operations(ROOT, "allUsers: true"))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.getList("effectiveUsers", Document.class))
                  .containsExactly(new Document("user", ANN).append("db", "admin"));
              assertThat(each.getList("runBy", Document.class))
                  .containsExactly(new Document("user", "__system").append("db", "local"));
            });
    Object op = operations(ROOT, "localOps: true, allUsers: true").getFirst().get("opid");
    refuses(
        BOB,
        "admin",
        "{currentOp: 1}",
        "{aggregate: 1, pipeline: [{$currentOp: {allUsers: true}}], cursor: {}}",
        "{killOp: 1, op: " + op + "}");
    assertThat(code(as(BOB), "admin", "{killOp: 1, op: 'shard0:1'}")).isEqualTo(13);
    assertThat(code(as(BOB), "admin", "{currentOp: 1, $ownOps: true}")).isZero();
    assertThat(running).isNotDone();
    assertThat(code(as(ANN), "admin", "{killOp: 1, op: " + op + "}")).isZero();
    assertThatThrownBy(running::join).hasMessageContaining("11601");
  }

  @Test
  void transactionsBelongToTheirUsers() {
    create("eve", "{role: 'readWrite', db: 'shop'}");
    MongoCollection<Document> ofAnn = collection(ANN, "shop.sharded");
    MongoCollection<Document> ofEve = collection("eve", "shop.sharded");
    try (ClientSession ann = as(ANN).startSession();
        ClientSession eve = as("eve").startSession()) {
      eve.getServerSession()
          .getIdentifier()
          .put("id", ann.getServerSession().getIdentifier().get("id"));
      ann.startTransaction();
      ofAnn.insertOne(ann, new Document("_id", -100));
      ofAnn.insertOne(ann, new Document("_id", 100));
      eve.startTransaction();
      assertThat(ofEve.countDocuments(eve)).isEqualTo(6);
      ofEve.insertOne(eve, new Document("_id", 101));
      ofEve.insertOne(eve, new Document("_id", -101));
      eve.abortTransaction();
      assertThat(ofAnn.countDocuments(ann)).isEqualTo(8);
      assertThatThrownBy(() -> collection(ANN, "store.c").insertOne(ann, new Document()))
          .hasMessageContaining("not authorized on store");
      ann.abortTransaction();
      ann.startTransaction();
      ofAnn.insertOne(ann, new Document("_id", -100));
      ofAnn.insertOne(ann, new Document("_id", 100));
      ann.commitTransaction();
    }
    assertThat(ofAnn.deleteMany(Document.parse("{_id: {$in: [-100, 100]}}")).getDeletedCount())
        .isEqualTo(2);
  }

  @Test
  void changeStreamsNeedTheirPrivilege() {
    assertThatThrownBy(() -> collection(PICKER, "shop.sharded").watch().cursor())
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(13));
    assertThatThrownBy(() -> as(BOB).watch().cursor())
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(13));
    create("writer", "{role: 'readWrite', db: 'stream'}");
    create("watcher", "{role: 'read', db: 'stream'}");
    MongoCollection<Document> written = collection("writer", "stream.c");
    written.insertOne(new Document("_id", 0));
    try (var stream = collection("watcher", "stream.c").watch().cursor()) {
      written.insertOne(new Document("_id", 1));
      assertThat(stream.next().getDocumentKey().getInt32("_id").getValue()).isEqualTo(1);
    }
  }

  @Test
  void rolesReachOtherRouters() throws Exception {
    String find = "{find: 'sharded'}";
    create("carl", "");
    try (EmbeddedNode second =
            cluster.newRouter(
                Files.createDirectory(directory.resolve("second")),
                ClusterAuthorizationTest::configure);
        MongoClient there = open("carl", "mongodb://" + second.address() + "/")) {
      assertThat(code(there, "shop", find)).isEqualTo(13);
      root("admin", "{grantRolesToUser: 'carl', roles: [{role: 'read', db: 'shop'}]}");
      await("the role is seen", () -> code(there, "shop", find) == 0);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Test
  void shardsHaveUsersOfTheirOwn() {
    try (MongoClient direct = open(ANN, cluster.shards().getFirst().uri())) {
      assertThatThrownBy(() -> code(direct, "shop", "{find: 'sharded'}"))
          .isInstanceOf(MongoSecurityException.class);
    }
    try (MongoClient direct = MongoClients.create(cluster.shards().getFirst().uri())) {
      assertThat(code(direct, "shop", "{find: 'sharded'}")).isEqualTo(13);
      assertThat(code(direct, "shop", "{insert: 'sharded', documents: [{}]}")).isEqualTo(13);
    }
  }
}
