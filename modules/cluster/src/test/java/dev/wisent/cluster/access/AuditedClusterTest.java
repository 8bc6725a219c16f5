package dev.wisent.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.cluster.access.AuditTrail.Event;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each event is in one audit log: that of the server that does the work, as in MongoDB. */
class AuditedClusterTest {
  private static final String ROUTER = "ROUTER";
  private static final String CONFIG = "CONFIG_SERVER";
  private static final String SHARD = "SHARD_SERVER";
  private static final String ROOT = "\"root\"";

  @TempDir private Path directory;

  private static void run(MongoClient client, String database, String command) {
    client.getDatabase(database).runCommand(Document.parse(command));
  }

  private static MongoClient createRoot(String uri) {
    try (MongoClient local = MongoClients.create(uri)) {
      run(local, "admin", "{createUser: 'root', pwd: 'secret', roles: ['root']}");
    }
    return MongoClients.create(uri.replace("mongodb://", "mongodb://root:secret@"));
  }

  private static Event only(AuditTrail trail, String action, String text) {
    assertThat(trail.events(action, text)).as(action + " " + text).hasSize(1);
    return trail.events(action, text).getFirst();
  }

  private static void define(MongoClient root) {
    run(root, "shop", "{createUser: 'ann', pwd: 'p', roles: ['read']}");
    run(root, "shop", "{updateUser: 'ann', pwd: 'q'}");
    run(root, "shop", "{createRole: 'watcher', privileges: [], roles: ['read']}");
    run(root, "shop", "{dropRole: 'watcher'}");
    run(root, "shop", "{dropUser: 'ann'}");
    run(root, "shop", "{create: 'plain'}");
    run(root, "shop", "{createIndexes: 'plain', indexes: [{key: {x: 1}, name: 'x_1'}]}");
    run(root, "shop", "{dropIndexes: 'plain', index: 'x_1'}");
    run(root, "admin", "{renameCollection: 'shop.plain', to: 'shop.renamed'}");
    run(root, "shop", "{drop: 'renamed'}");
  }

  /** What {@link #define} leaves. */
  private static void checkDefinitions(
      AuditTrail trail, Consumer<Event> users, Consumer<Event> data) {
    users.accept(only(trail, "createUser", "\"ann\""));
    users.accept(only(trail, "updateUser", "\"ann\""));
    users.accept(only(trail, "createRole", "watcher"));
    users.accept(only(trail, "dropRole", "watcher"));
    users.accept(only(trail, "dropUser", "\"ann\""));
    data.accept(only(trail, "createCollection", "shop.plain"));
    assertThat(trail.events("createIndex", "x_1")).hasSize(2).allSatisfy(data::accept);
    data.accept(only(trail, "dropIndex", "x_1"));
    data.accept(only(trail, "renameCollection", "shop.renamed"));
    data.accept(only(trail, "dropCollection", "shop.renamed"));
  }

  @Test
  void aClusterHasEachEventOnce() {
    var trail = new AuditTrail(directory);
    try (EmbeddedCluster cluster = EmbeddedCluster.start(1, directory, trail::configure);
        MongoClient root = createRoot(cluster.uri())) {
      run(root, "admin", "{enableSharding: 'shop'}");
      define(root);
      run(root, "admin", "{shardCollection: 'shop.sharded', key: {x: 1}}");
      run(root, "shop", "{createIndexes: 'sharded', indexes: [{key: {x: 1, y: 1}, name: 'xy'}]}");
      run(root, "admin", "{refineCollectionShardKey: 'shop.sharded', key: {x: 1, y: 1}}");
      run(root, "shop", "{drop: 'sharded'}");
      run(root, "admin", "{logApplicationMessage: 'done'}");
    }
    checkDefinitions(
        trail,
        event -> {
          assertThat(event.server()).isEqualTo(CONFIG);
          assertThat(event.users()).contains(ROOT);
          assertThat(event.document().getArray("roles").toString()).contains(ROOT);
        },
        event -> assertThat(event.server()).isEqualTo(SHARD));
    assertThat(only(trail, "createCollection", "shop.plain").users()).contains(ROOT);
    for (String action : new String[] {"shardCollection", "refineCollectionShardKey"}) {
      Event event = only(trail, action, "shop.sharded");
      assertThat(event.server()).isEqualTo(CONFIG);
      assertThat(event.users()).contains(ROOT);
    }
    assertThat(only(trail, "addShard", "shard0").server()).isEqualTo(CONFIG);
    assertThat(only(trail, "enableSharding", "\"ns\": \"shop\"").users()).contains(ROOT);
    assertThat(only(trail, "dropCollection", "shop.sharded").server()).isEqualTo(SHARD);
    assertThat(only(trail, "applicationMessage", "done").server()).isEqualTo(ROUTER);
    assertThat(trail.events("authenticate", "\"mechanism\": \"SCRAM-SHA-256\""))
        .filteredOn(event -> event.document().getDocument("param").toJson().contains(ROOT))
        .isNotEmpty()
        .allSatisfy(event -> assertThat(event.server()).isEqualTo(ROUTER));
  }

  @Test
  void aReplicaSetHasEachEventOnce() {
    var trail = new AuditTrail(directory);
    Consumer<ServerOptions.Builder> options = trail::configure;
    try (EmbeddedSet set = EmbeddedSet.start("audited", 3, directory, options);
        MongoClient root = createRoot(set.uri())) {
      define(root);
      run(root, "store", "{insert: 'implied', documents: [{}], writeConcern: {w: 3}}");
      run(root, "store", "{dropDatabase: 1, writeConcern: {w: 'majority'}}");
    }
    checkDefinitions(
        trail,
        event -> assertThat(event.users()).contains(ROOT),
        event -> assertThat(event.users()).contains(ROOT));
    only(trail, "createDatabase", "\"store\"");
    only(trail, "createCollection", "store.implied");
    only(trail, "dropDatabase", "\"store\"");
    only(trail, "createUser", "\"param\": {\"user\": \"root\"");
  }
}
