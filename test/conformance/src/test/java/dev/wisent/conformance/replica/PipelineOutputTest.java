package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Views, {@code $out} and {@code $merge} reach all members. */
@ExtendWith(SharedReplicaSet.Extension.class)
class PipelineOutputTest {
  private static final String DATABASE = "piped";

  private static Document parse(String json) {
    return Document.parse(json);
  }

  @Test
  void membersAgree(ReplicaSetProcesses shared) {
    try (MongoClient client = MongoClients.create(shared.uri())) {
      MongoDatabase database = client.getDatabase(DATABASE).withWriteConcern(new WriteConcern(3));
      database.drop();
      database
          .getCollection("src")
          .insertMany(IntStream.range(0, 50).mapToObj(i -> new Document("_id", i)).toList());
      database
          .getCollection("out")
          .createIndex(Indexes.ascending("n"), new IndexOptions().unique(true));
      database.createView("view", "src", List.of(parse("{$set: {n: '$_id'}}")));
      database.createView("gone", "view", List.of());
      database.getCollection("gone").drop();
      database.runCommand(
          parse(
              "{collMod: 'view', pipeline: [{$set: {n: {$add: ['$_id', 1]}}}], writeConcern: {w:"
                  + " 3}}"));

      database.getCollection("view").aggregate(List.of(parse("{$out: 'out'}"))).toCollection();
      database
          .getCollection("src")
          .aggregate(
              List.of(
                  parse("{$match: {_id: {$gte: 40}}}"),
                  parse("{$set: {_id: {$add: ['$_id', 5]}, m: 1}}"),
                  parse("{$merge: {into: 'src'}}")))
          .toCollection();

      Document expected = null;
      for (Member member : shared.members()) {
        MongoDatabase there = member.direct().getDatabase(DATABASE);
        Document hashes =
            there
                .runCommand(parse("{dbHash: 1}"), ReadPreference.nearest())
                .get("collections", Document.class);
        assertThat(hashes).containsOnlyKeys("out", "src", "system.views");
        expected = expected == null ? hashes : expected;
        assertThat(hashes).isEqualTo(expected);
        assertThat(there.getCollection("view").countDocuments(Filters.gt("n", 50))).isEqualTo(5);
        assertThat(there.getCollection("out").find(Filters.eq("n", 50)).hintString("n_1"))
            .hasSize(1);
        assertThat(there.listCollectionNames())
            .containsExactlyInAnyOrder("out", "src", "system.views", "view");
      }

      MongoCommandException linearizable =
          catchThrowableOfType(
              MongoCommandException.class,
              () ->
                  database
                      .getCollection("src")
                      .withReadConcern(ReadConcern.LINEARIZABLE)
                      .aggregate(List.of(parse("{$out: 'out'}")))
                      .toCollection());
      assertThat(linearizable.getErrorMessage())
          .isEqualTo("$out cannot be used with a 'linearizable' read concern level");
      database.drop();
    }
  }

  @Test
  void secondariesHaveThePrimaryWrite(ReplicaSetProcesses shared) {
    try (MongoClient client = MongoClients.create(shared.uri());
        ClientSession session = client.startSession()) {
      MongoDatabase database =
          client.getDatabase(DATABASE + "2").withReadPreference(ReadPreference.secondary());
      database.drop(session);
      database
          .getCollection("src")
          .insertMany(
              session, IntStream.range(0, 50).mapToObj(i -> new Document("_id", i)).toList());
      for (String stage : List.of("{$out: 'target'}", "{$merge: {into: 'target'}}")) {
        database.getCollection("src").aggregate(session, List.of(parse(stage))).toCollection();
        // In a causally consistent session a client reads from a secondary what it has written.
        assertThat(database.getCollection("target").countDocuments(session)).isEqualTo(50);
        database.getCollection("target").drop(session);
      }
    }
  }

  @Test
  void membersShowWhatTheyKnowAsCollections(ReplicaSetProcesses shared) {
    for (Member member : shared.members()) {
      MongoClient there = member.direct();
      assertThat(there.listDatabaseNames()).contains("admin", "config", "local");
      Document config = there.getDatabase("local").getCollection("system.replset").find().first();
      assertThat(config).containsKeys("_id", "version", "members", "settings");
      assertThat(there.getDatabase("local").listCollectionNames())
          .contains("oplog.rs", "startup_log", "system.replset");
      assertThat(there.getDatabase("local").getCollection("startup_log").countDocuments())
          .isPositive();
      assertThat(there.getDatabase("admin").getCollection("system.version").find().first())
          .isEqualTo(parse("{_id: 'featureCompatibilityVersion', version: '8.0'}"));
    }
  }
}
