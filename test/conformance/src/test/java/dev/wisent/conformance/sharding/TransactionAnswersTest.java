package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.TestCluster;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What statements of transactions answer on several shards. */
@ExtendWith(SharedCluster.class)
class TransactionAnswersTest {
  private static final String NAME = "transaction_answers";
  private TestCluster cluster;
  private MongoDatabase database;

  @BeforeEach
  void shard(TestCluster shared) {
    cluster = shared;
    database = cluster.client().getDatabase(NAME);
    database.drop();
    cluster.shardAt(NAME + ".c", "k", 10, 20);
  }

  /** The shard that tells of the duplicate has ended its part: it is not asked again. */
  @Test
  void anUpsertOfADuplicateTellsSo() {
    run(null, "{insert: 'c', documents: [{_id: 1, k: 1, s: 1}, {_id: 2, k: 15}]}");
    for (String query : List.of("{_id: 1, s: 2}", "{_id: 1, k: 1, s: 2}")) {
      try (ClientSession session = cluster.client().startSession()) {
        session.startTransaction();
        run(session, "{find: 'c'}");
        Document reply =
            run(
                session,
                "{update: 'c', updates: [{q: %s, u: {$set: {k: 1}}, upsert: true}]}"
                    .formatted(query));
        assertThat(reply.getList("writeErrors", Document.class).getFirst())
            .as(query)
            .containsEntry("code", 11000);
        session.abortTransaction();
      }
    }
  }

  /**
   * In a database that the router creates first, and with indexes, beside reads of other shards.
   */
  @Test
  void collectionsAndIndexesAreCreated() {
    String name = NAME + "_created";
    cluster.client().getDatabase(name).drop();
    MongoDatabase other = cluster.client().getDatabase(name);
    run(null, "{insert: 'c', documents: [{_id: 1, k: 1}, {_id: 2, k: 15}, {_id: 3, k: 25}]}");
    try (ClientSession session = cluster.client().startSession()) {
      for (boolean commits : new boolean[] {false, true}) {
        session.startTransaction();
        assertThat(database.getCollection("c").find(session)).hasSize(3);
        other.runCommand(session, Document.parse("{create: 'made'}"));
        other.runCommand(
            session,
            Document.parse(
                "{createIndexes: 'made', indexes: [{key: {x: 1}, name: 'x', unique: true}]}"));
        other.getCollection("made").insertOne(session, new Document("_id", 1).append("x", 1));
        other.getCollection("implicit").insertOne(session, new Document("_id", 1));
        assertThat(other.getCollection("made").find(session)).hasSize(1);
        if (commits) {
          session.commitTransaction();
        } else {
          session.abortTransaction();
          assertThat(other.listCollectionNames()).isEmpty();
        }
      }
    }
    assertThat(other.listCollectionNames()).containsExactlyInAnyOrder("made", "implicit");
    assertThat(other.getCollection("made").listIndexes().map(each -> each.getString("name")))
        .containsExactlyInAnyOrder("_id_", "x");
    assertThat(other.getCollection("implicit").countDocuments()).isEqualTo(1);
  }

  @Test
  void whatMongoDbRefusesIsRefused() {
    run(null, "{insert: 'c', documents: [{_id: 1, k: 1}]}");
    for (String command :
        List.of(
            "{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x'}]}",
            "{drop: 'c'}",
            "{count: 'c'}",
            "{dropIndexes: 'c', index: 'k_1'}")) {
      try (ClientSession session = cluster.client().startSession()) {
        session.startTransaction();
        run(session, "{find: 'c'}");
        assertThatThrownBy(() -> run(session, command))
            .as(command)
            .isInstanceOfSatisfying(
                MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(263));
        session.abortTransaction();
      }
    }
  }

  private Document run(ClientSession session, String command) {
    Document parsed = Document.parse(command);
    return session == null ? database.runCommand(parsed) : database.runCommand(session, parsed);
  }
}
