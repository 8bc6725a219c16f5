package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rule H13, its first half: a document that a shard does not own refuses no write of one that it
 * owns, also if both have the same unique key. The shard owns the keys from 0 to 9.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrphanDuplicatesTest {
  private static final Document ORPHAN = new Document("_id", 1).append("k", 50).append("u", 1);

  private TestShard shard;
  private MongoDatabase database;
  private MongoCollection<Document> direct;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    shard.identify();
    shard.ownDatabase(1);
    database = shard.client().getDatabase("test");
    direct = database.getCollection("c");
    database.runCommand(
        Document.parse("{createIndexes: 'c', indexes: [{key: {u: 1}, name: 'u', unique: true}]}"));
    shard.own(
        "test.c", new Document("k", 1), 1, range(new Document("k", 0), new Document("k", 10)));
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  @BeforeEach
  void fill() {
    direct.deleteMany(new Document());
    direct.insertOne(new Document(ORPHAN));
  }

  private Document routed(String json) {
    return shard.routed(Document.parse(json), version(1, 0));
  }

  private static int code(Document reply) {
    return reply.getList("writeErrors", Document.class).getFirst().getInteger("code");
  }

  private List<Document> all() {
    return direct.find().sort(new Document("_id", 1)).into(new ArrayList<>());
  }

  private void checkOnly(String json) {
    assertThat(all()).containsExactly(Document.parse(json));
    Document stats = database.runCommand(new Document("collStats", "c"));
    assertThat(stats.get("numOrphanDocs", Number.class).intValue()).isZero();
  }

  @Test
  void anInsertTakesTheIdentifierOfAnOrphan() {
    assertThat(routed("{insert: 'c', documents: [{_id: 1, k: 5, u: 2}]}")).containsEntry("n", 1);
    checkOnly("{_id: 1, k: 5, u: 2}");
    List<Document> deletions =
        shard
            .client()
            .getDatabase("local")
            .getCollection("oplog.rs")
            .find(Filters.and(Filters.eq("op", "d"), Filters.eq("o._id", 1)))
            .sort(new Document("$natural", -1))
            .limit(1)
            .into(new ArrayList<>());
    assertThat(deletions).singleElement().matches(each -> each.getBoolean("fromMigrate", false));
  }

  @Test
  void anInsertTakesAnotherUniqueKeyOfAnOrphan() {
    assertThat(
            routed(
                "{insert: 'c', documents: [{_id: 2, k: 4, u: 7}, {_id: 3, k: 5, u: 1},"
                    + " {_id: 4, k: 6, u: 8}]}"))
        .containsEntry("n", 3);
    assertThat(all()).extracting(each -> each.getInteger("_id")).containsExactly(2, 3, 4);
  }

  @Test
  void aRetryableInsertIsDoneOnce() {
    try (ClientSession session = shard.client().startSession()) {
      long number = session.getServerSession().advanceTransactionNumber();
      for (int attempt = 0; attempt < 2; attempt++) {
        Document reply =
            database.runCommand(
                session,
                Document.parse("{insert: 'c', documents: [{_id: 1, k: 5, u: 2}]}")
                    .append("txnNumber", number)
                    .append("shardVersion", version(1, 0)));
        assertThat(reply).containsEntry("n", 1).doesNotContainKey("writeErrors");
      }
    }
    checkOnly("{_id: 1, k: 5, u: 2}");
  }

  @Test
  void upsertsAndUpdatesTakeThem() {
    Document reply =
        routed("{update: 'c', updates: [{q: {_id: 1, k: 5}, u: {$set: {u: 1}}, upsert: true}]}");
    assertThat(reply.getList("upserted", Document.class)).hasSize(1);
    checkOnly("{_id: 1, k: 5, u: 1}");
    direct.insertOne(new Document("_id", 2).append("k", 60).append("u", 2));
    routed("{findAndModify: 'c', query: {k: 5}, update: {$set: {u: 2}}}");
    checkOnly("{_id: 1, k: 5, u: 2}");
  }

  @Test
  void aTransactionIsTriedAgain() {
    Document insert =
        Document.parse("{insert: 'c', documents: [{_id: 1, k: 5, u: 2}]}")
            .append("shardVersion", version(1, 0));
    int attempts = 0;
    try (ClientSession session = shard.client().startSession()) {
      while (true) {
        attempts++;
        session.startTransaction();
        try {
          assertThat(database.runCommand(session, new Document(insert))).containsEntry("n", 1);
          session.commitTransaction();
          break;
        } catch (MongoCommandException e) {
          assertThat(e.hasErrorLabel("TransientTransactionError")).isTrue();
          assertThat(attempts).isEqualTo(1);
          session.abortTransaction();
        }
      }
    }
    checkOnly("{_id: 1, k: 5, u: 2}");
  }

  @Test
  void ownedDocumentsAndOrphansKeepTheirKeys() {
    direct.insertOne(new Document("_id", 2).append("k", 3).append("u", 2));
    assertThat(code(routed("{insert: 'c', documents: [{_id: 2, k: 5, u: 3}]}"))).isEqualTo(11000);
    assertThat(code(routed("{insert: 'c', documents: [{_id: 3, k: 5, u: 2}]}"))).isEqualTo(11000);
    // A write past the routers is no owned document either.
    Document reply =
        database.runCommand(Document.parse("{insert: 'c', documents: [{_id: 1, k: 70}]}"));
    assertThat(code(reply)).isEqualTo(11000);
    assertThat(all()).hasSize(2);
  }

  /**
   * A document that a migration brings is not owned yet, and must not get lost: the migration is
   * ended first.
   */
  @Test
  void aMigrationThatBringsItsIdentifierIsEnded() {
    MongoCollection<Document> receptions =
        shard.client().getDatabase("config").getCollection("migrationRecipients");
    UUID uuid =
        database
            .listCollections()
            .filter(new Document("name", "c"))
            .first()
            .get("info", Document.class)
            .get("uuid", UUID.class);
    receptions.insertOne(
        new Document("_id", UUID.randomUUID())
            .append("nss", "test.c")
            .append("collectionUuid", uuid)
            .append("donorShardId", "other")
            .append("recipientShardId", "this")
            .append("range", range(new Document("k", 40), new Document("k", 60)))
            .append("state", "cloning"));
    direct.insertOne(new Document("_id", 2).append("k", 60));
    assertThat(routed("{insert: 'c', documents: [{_id: 2, k: 5, u: 8}]}")).containsEntry("n", 1);
    assertThat(receptions.countDocuments()).isOne();
    assertThat(routed("{insert: 'c', documents: [{_id: 1, k: 5, u: 9}]}")).containsEntry("n", 1);
    assertThat(receptions.countDocuments()).isZero();
    assertThat(all())
        .containsExactly(
            new Document("_id", 1).append("k", 5).append("u", 9),
            new Document("_id", 2).append("k", 5).append("u", 8));
  }

  @Test
  void aMultiUpdateDoesNotTakeThem() {
    direct.insertOne(new Document("_id", 2).append("k", 3).append("u", 2));
    Document reply =
        routed("{update: 'c', updates: [{q: {k: {$lt: 9}}, u: {$set: {u: 1}}, multi: true}]}");
    assertThat(code(reply)).isEqualTo(11000);
    assertThat(all()).hasSize(2);
  }
}
