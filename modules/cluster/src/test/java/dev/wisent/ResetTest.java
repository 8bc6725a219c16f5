package dev.wisent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** What tests leave in embedded servers is gone after {@link Wisent#reset()}. */
class ResetTest {
  private static final int MORE_THAN_A_BATCH = 102;

  private static final String FAILING =
      "{configureFailPoint: 'failCommand', mode: 'alwaysOn',"
          + " data: {failCommands: ['insert'], errorCode: 1}}";

  @Test
  void aNodeIsEmptyAndWorksAsAtTheStart() {
    try (Wisent wisent =
            Wisent.start(options -> options.setParameter("enableTestCommands", "true"));
        MongoClient client = MongoClients.create(wisent.uri())) {
      leaveData(client);
      run(client, "shop", "{profile: 2, slowms: 7}");
      run(client, "admin", FAILING);
      assertThatThrownBy(() -> insert(client)).isInstanceOf(MongoCommandException.class);
      wisent.reset();
      assertEmpty(client);
      assertThat(run(client, "shop", "{profile: -1}"))
          .containsEntry("was", 0)
          .containsEntry("slowms", 100);
      insert(client);
    }
  }

  @Test
  void aSetEndsTransactionsThatWereLeftOpen() {
    try (Wisent wisent = Wisent.replicaSet(3);
        MongoClient client = MongoClients.create(wisent.uri());
        ClientSession session = client.startSession()) {
      leaveData(client);
      session.startTransaction();
      client
          .getDatabase("shop")
          .getCollection("orders")
          .insertOne(session, new Document("_id", "open"));
      wisent.reset();
      assertEmpty(client);
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              e -> assertThat(e.getErrorCodeName()).isEqualTo("NoSuchTransaction"));
    }
  }

  @Test
  void aClusterHasNoShardedCollectionsAndNoZones() {
    try (Wisent wisent = Wisent.cluster(2);
        MongoClient client = MongoClients.create(wisent.uri())) {
      leaveData(client);
      run(client, "admin", "{shardCollection: 'shop.customers', key: {_id: 1}}");
      run(client, "admin", "{addShardToZone: 'shard0', zone: 'near'}");
      run(
          client,
          "admin",
          "{updateZoneKeyRange: 'shop.customers', min: {_id: 0}, max: {_id: 9}, zone: 'near'}");
      for (int i = 0; i < MORE_THAN_A_BATCH; i++) {
        String bounds = "min: {_id: %d}, max: {_id: %d}".formatted(i, i + 1);
        run(client, "admin", "{updateZoneKeyRange: 'shop.later', " + bounds + ", zone: 'near'}");
      }
      run(client, "admin", "{balancerStop: 1}");
      wisent.reset();
      assertEmpty(client);
      var config = client.getDatabase("config");
      assertThat(config.getCollection("collections").find(new Document("_id", "shop.customers")))
          .isEmpty();
      assertThat(config.getCollection("databases").find(new Document("_id", "shop"))).isEmpty();
      assertThat(config.getCollection("tags").find()).isEmpty();
      assertThat(config.getCollection("shards").find())
          .hasSize(2)
          .allSatisfy(
              shard -> assertThat(shard.getList("tags", String.class, List.of())).isEmpty());
      assertThat(run(client, "admin", "{balancerStatus: 1}")).containsEntry("mode", "full");
      insert(client);
    }
  }

  private static void leaveData(MongoClient client) {
    insert(client);
    client.getDatabase("other").createCollection("empty");
    client.getDatabase("admin").getCollection("notes").insertOne(new Document());
    run(client, "shop", "{createUser: 'app', pwd: 'secret', roles: ['readWrite']}");
    run(client, "admin", "{createUser: 'root', pwd: 'secret', roles: ['root']}");
    run(client, "shop", "{createRole: 'clerk', privileges: [], roles: ['read']}");
  }

  private static void insert(MongoClient client) {
    client.getDatabase("shop").getCollection("orders").insertOne(new Document());
  }

  private static Document run(MongoClient client, String database, String command) {
    return client.getDatabase(database).runCommand(Document.parse(command));
  }

  private static void assertEmpty(MongoClient client) {
    assertThat(client.listDatabaseNames().into(new ArrayList<>()))
        .isSubsetOf("admin", "config", "local");
    assertThat(client.getDatabase("admin").listCollectionNames())
        .allMatch(name -> name.startsWith("system."));
    assertThat(
            run(client, "admin", "{usersInfo: {forAllDBs: true}}").getList("users", Object.class))
        .isEmpty();
    assertThat(run(client, "shop", "{rolesInfo: 1}").getList("roles", Object.class)).isEmpty();
  }
}
