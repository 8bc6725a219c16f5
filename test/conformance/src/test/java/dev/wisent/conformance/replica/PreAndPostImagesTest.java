package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Images of documents before their change, as clients of a replica set see them. */
@ExtendWith(SharedReplicaSet.Extension.class)
class PreAndPostImagesTest {
  private MongoClient client;
  private MongoDatabase database;
  private MongoCollection<Document> collection;
  private MongoCollection<Document> images;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    client = MongoClients.create(shared.uri());
    database = client.getDatabase("imaged").withWriteConcern(new WriteConcern(3));
    database.drop();
    database.createCollection(
        "c",
        new CreateCollectionOptions()
            .changeStreamPreAndPostImagesOptions(new ChangeStreamPreAndPostImagesOptions(true)));
    collection = database.getCollection("c");
    images = client.getDatabase("config").getCollection("system.preimages");
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  /** The documents before changes to the collection, on the members that are asked. */
  private List<Document> before(ReadPreference where) {
    var ofCollection = Filters.eq("_id.nsUUID", listed().get("info", Document.class).get("uuid"));
    return images
        .withReadPreference(where)
        .find(ofCollection)
        .map(image -> image.get("preImage", Document.class))
        .into(new ArrayList<>());
  }

  private Document listed() {
    return database.listCollections().filter(Filters.eq("name", "c")).first();
  }

  private Object option() {
    return listed().get("options", Document.class).get("changeStreamPreAndPostImages");
  }

  @Test
  void allMembersHaveThem() {
    collection.insertOne(new Document("_id", 1).append("n", 1));
    collection.updateOne(Filters.eq(1), Updates.inc("n", 41));
    collection.replaceOne(Filters.eq(1), new Document("m", 1));
    collection.findOneAndDelete(Filters.eq(1));
    List<Document> expected =
        List.of(
            Document.parse("{_id: 1, n: 1}"),
            Document.parse("{_id: 1, n: 42}"),
            Document.parse("{_id: 1, m: 1}"));
    assertThat(before(ReadPreference.primary())).isEqualTo(expected);
    assertThat(before(ReadPreference.secondary())).isEqualTo(expected);
  }

  @Test
  void theOptionIsListedWhileItIsOn() {
    assertThat(option()).isEqualTo(new Document("enabled", true));
    database.runCommand(
        Document.parse("{collMod: 'c', changeStreamPreAndPostImages: {enabled: false}}"));
    assertThat(option()).isNull();
    collection.insertOne(new Document("_id", 1));
    collection.deleteOne(Filters.eq(1));
    assertThat(before(ReadPreference.primary())).isEmpty();
    database.runCommand(
        Document.parse("{collMod: 'c', changeStreamPreAndPostImages: {enabled: true}}"));
    assertThat(option()).isEqualTo(new Document("enabled", true));
  }

  @Test
  void itIsRefusedWhereItCannotBe() {
    String on = ", changeStreamPreAndPostImages: {enabled: true}}";
    for (String internal : List.of("admin", "config", "local")) {
      assertCode(72, client.getDatabase(internal), "{create: 'imaged'" + on);
    }
    assertCode(72, database, "{create: 'v', viewOn: 'c', pipeline: []" + on);
    database.createView("v", "c", List.of());
    assertCode(72, database, "{collMod: 'v'" + on);
    assertCode(40414, database, "{create: 'd', changeStreamPreAndPostImages: {}}");
    assertCode(14, database, "{create: 'd', changeStreamPreAndPostImages: true}");
    assertCode(40415, database, "{create: 'd', changeStreamPreAndPostImages: {enable: true}}");
    assertCode(40415, database, "{create: 'd', recordPreImages: true}");
    assertCode(40415, database, "{collMod: 'c', recordPreImages: true}");
  }

  @Test
  void clientsDoNotChangeTheCollectionOfImages() {
    collection.insertOne(new Document("_id", 1));
    collection.deleteOne(Filters.eq(1));
    MongoDatabase config = client.getDatabase("config");
    assertCode(20, config, "{drop: 'system.preimages'}");
    assertCode(20, config, "{dropDatabase: 1}");
    assertCode(20, config, "{collMod: 'system.preimages', validator: {}}");
    assertThatThrownBy(() -> images.insertOne(new Document())).hasMessageContaining("preimages");
    assertThat(before(ReadPreference.primary())).hasSize(1);
  }

  @Test
  void theyExpireAsTheClusterParameterSays() {
    MongoDatabase admin = client.getDatabase("admin");
    setLifetime(admin, "'off'");
    collection.insertOne(new Document("_id", 1));
    collection.deleteOne(Filters.eq(1));
    assertThat(before(ReadPreference.primary())).hasSize(1);
    setLifetime(admin, "{$numberLong: '1'}");
    try {
      Document value =
          admin
              .runCommand(Document.parse("{getClusterParameter: 'changeStreamOptions'}"))
              .getList("clusterParameters", Document.class)
              .getFirst();
      assertThat(value.keySet()).containsExactly("_id", "clusterParameterTime", "preAndPostImages");
      assertThat(value.get("preAndPostImages")).isEqualTo(new Document("expireAfterSeconds", 1L));
      Eventually.holds(
          "no image on any member",
          Duration.ofMinutes(2),
          () ->
              before(ReadPreference.primary()).isEmpty()
                  && before(ReadPreference.secondary()).isEmpty());
    } finally {
      setLifetime(admin, "'off'");
    }
    assertCode(2, admin, "{setClusterParameter: {changeStreamOptions: {}}}");
    assertCode(
        2,
        admin,
        "{setClusterParameter: {changeStreamOptions: {preAndPostImages: {expireAfterSeconds:"
            + " 0}}}}");
    assertCode(
        2,
        admin,
        "{setClusterParameter: {changeStreamOptions: {preAndPostImages: {expireAfterSeconds:"
            + " 'x'}}}}");
    assertCode(4, admin, "{setClusterParameter: {unknown: {a: 1}}}");
    assertCode(72, admin, "{setClusterParameter: {}}");
    assertCode(13, database, "{getClusterParameter: '*'}");
  }

  private static void setLifetime(MongoDatabase admin, String seconds) {
    admin.runCommand(
        Document.parse(
            "{setClusterParameter: {changeStreamOptions: {preAndPostImages: {expireAfterSeconds: "
                + seconds
                + "}}}}"));
  }

  private static void assertCode(int code, MongoDatabase database, String command) {
    assertThatThrownBy(() -> database.runCommand(Document.parse(command)))
        .as(command)
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }
}
