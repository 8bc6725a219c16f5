package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.CursorType;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The oplog as clients of a replica set see it. */
@ExtendWith(SharedReplicaSet.Extension.class)
class OplogTest {
  private MongoClient client;
  private MongoDatabase database;
  private MongoCollection<Document> collection;
  private MongoCollection<Document> oplog;
  private BsonTimestamp start;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    client = MongoClients.create(shared.uri());
    database = client.getDatabase("oplogged").withWriteConcern(new WriteConcern(3));
    database.drop();
    collection = database.getCollection("c");
    oplog = client.getDatabase("local").getCollection("oplog.rs");
    collection.insertOne(new Document("_id", "start"));
    start = last().get("ts", BsonTimestamp.class);
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private Document last() {
    return oplog.find(Filters.eq("ns", "oplogged.c")).sort(Sorts.descending("$natural")).first();
  }

  /** The entries of the collection since the test began, from the member that is asked. */
  private List<Document> entries(ReadPreference where) {
    var filter = Filters.and(Filters.gt("ts", start), Filters.regex("ns", "^oplogged\\."));
    return oplog.withReadPreference(where).find(filter).into(new ArrayList<>());
  }

  @Test
  void allMembersHaveTheSameEntriesOfAllWrites() {
    collection.insertOne(new Document("_id", 1).append("n", 1).append("pad", "x".repeat(100)));
    collection.updateOne(Filters.eq(1), Updates.inc("n", 41));
    collection.replaceOne(Filters.eq(1), new Document("m", 1));
    collection.createIndex(new Document("m", 1), new IndexOptions().name("byM"));
    collection.deleteOne(Filters.eq(1));
    collection.drop();
    List<Document> entries = entries(ReadPreference.primary());
    assertThat(entries.stream().map(entry -> entry.getString("op")))
        .containsExactly("i", "u", "u", "c", "d", "c");
    assertThat(entries.get(1).get("o")).isEqualTo(Document.parse("{$v: 2, diff: {u: {n: 42}}}"));
    assertThat(entries.get(2).get("o")).isEqualTo(Document.parse("{_id: 1, m: 1}"));
    assertThat(entries.get(3).get("o"))
        .isEqualTo(Document.parse("{createIndexes: 'c', v: 2, key: {m: 1}, name: 'byM'}"));
    assertThat(entries.get(0).keySet())
        .containsExactly(
            "lsid", "txnNumber", "op", "ns", "ui", "o", "o2", "stmtId", "ts", "t", "v", "wall");
    assertThat(entries.get(5).get("o2")).isEqualTo(new Document("numRecords", 1L));
    assertThat(entries(ReadPreference.secondary())).isEqualTo(entries);
  }

  @Test
  void itCanBeTailedOnASecondary() throws Exception {
    var tail =
        oplog
            .withReadPreference(ReadPreference.secondary())
            .find(Filters.and(Filters.gt("ts", start), Filters.eq("ns", "oplogged.c")))
            .cursorType(CursorType.TailableAwait)
            .maxAwaitTime(10, TimeUnit.SECONDS);
    CompletableFuture<Document> seen =
        CompletableFuture.supplyAsync(
            () -> {
              try (MongoCursor<Document> cursor = tail.iterator()) {
                return cursor.next();
              }
            });
    collection.insertOne(new Document("_id", "tailed"));
    assertThat(seen.get(60, TimeUnit.SECONDS).get("o")).isEqualTo(new Document("_id", "tailed"));
  }

  @Test
  void itIsACappedCollectionThatNobodyWritesTo() {
    MongoDatabase local = client.getDatabase("local");
    Document listed = local.listCollections().filter(new Document("name", "oplog.rs")).first();
    assertThat(listed.get("options", Document.class).getBoolean("capped")).isTrue();
    Document stats = local.runCommand(new Document("collStats", "oplog.rs"));
    assertThat(stats.getBoolean("capped")).isTrue();
    assertThat(stats.get("maxSize", Number.class).longValue()).isGreaterThanOrEqualTo(990L << 20);
    assertThat(stats.get("count", Number.class).longValue()).isPositive();
    assertThat(local.getCollection("oplog.rs").countDocuments(Filters.gte("ts", start)))
        .isPositive();
    assertCode(73, () -> oplog.insertOne(new Document()));
    assertCode(5255000, oplog::drop);
    assertCode(20, local::drop);
  }

  @Test
  void whatIsAMembersOwnIsInNoOplogAndWrittenOnAnyMember(ReplicaSetProcesses shared) {
    List<Member> members = shared.members();
    for (Member member : members) {
      MongoDatabase local = member.direct().getDatabase("local");
      local.getCollection("own").drop();
      local.getCollection("own").insertOne(new Document("_id", member.id()));
      local.getCollection("own").createIndex(new Document("n", 1));
      MongoDatabase profiled = member.direct().getDatabase("oplogged");
      profiled.runCommand(new Document("profile", 2));
      profiled.getCollection("c").find().first();
      profiled.runCommand(new Document("profile", 0));
    }
    for (Member member : members) {
      MongoDatabase local = member.direct().getDatabase("local");
      assertThat(local.getCollection("own").find())
          .containsExactly(new Document("_id", member.id()));
      Document profiled =
          member
              .direct()
              .getDatabase("oplogged")
              .getCollection("system.profile")
              .find(Filters.eq("op", "query"))
              .first();
      assertThat(profiled).containsEntry("ns", "oplogged.c");
    }
    assertThat(oplog.find(Filters.and(Filters.gt("ts", start), Filters.ne("op", "n")))).isEmpty();
  }

  @Test
  void itsSizeCanBeChanged() {
    MongoDatabase admin = client.getDatabase("admin");
    MongoDatabase local = client.getDatabase("local");
    admin.runCommand(new Document("replSetResizeOplog", 1).append("size", 1000.0));
    Document stats = local.runCommand(new Document("collStats", "oplog.rs"));
    assertThat(stats.get("maxSize", Number.class).longValue()).isEqualTo(1000L << 20);
    assertCode(
        2, () -> admin.runCommand(new Document("replSetResizeOplog", 1).append("size", 900.0)));
    assertCode(
        2,
        () ->
            admin.runCommand(
                new Document("replSetResizeOplog", 1).append("minRetentionHours", -1.0)));
  }

  @Test
  void notesAreWritten() {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("appendOplogNote", 1).append("data", new Document("msg", "from a test")));
    Document note =
        oplog
            .find(Filters.and(Filters.gt("ts", start), Filters.eq("o.msg", "from a test")))
            .first();
    assertThat(note.getString("op")).isEqualTo("n");
    assertThat(note.getString("ns")).isEmpty();
  }

  @Test
  void entriesCanBeAppliedToAnotherCollection() {
    List<Document> operations =
        List.of(
            Document.parse("{op: 'c', ns: 'oplogged.$cmd', o: {create: 'copy'}}"),
            Document.parse("{op: 'i', ns: 'oplogged.copy', o: {_id: 1, a: 1, b: 1}}"),
            Document.parse("{op: 'i', ns: 'oplogged.copy', o: {_id: 2}}"),
            Document.parse(
                "{op: 'u', ns: 'oplogged.copy', o2: {_id: 1}, o: {$v: 2, diff: {u: {a: 2}}}}"),
            Document.parse("{op: 'd', ns: 'oplogged.copy', o: {_id: 2}}"),
            Document.parse("{op: 'n', ns: '', o: {msg: 'nothing'}}"),
            Document.parse(
                "{op: 'c', ns: 'oplogged.$cmd',"
                    + " o: {createIndexes: 'copy', v: 2, key: {a: 1}, name: 'a_1'}}"));
    Document reply = client.getDatabase("admin").runCommand(new Document("applyOps", operations));
    assertThat(reply.getInteger("applied")).isEqualTo(7);
    assertThat(database.getCollection("copy").find())
        .containsExactly(Document.parse("{_id: 1, a: 2, b: 1}"));
    assertThat(database.getCollection("copy").listIndexes()).hasSize(2);
    assertCode(
        6711600,
        () ->
            client
                .getDatabase("admin")
                .runCommand(new Document("applyOps", List.of()).append("preCondition", List.of())));
  }

  private static void assertCode(int code, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            MongoException.class, e -> assertThat(e.getCode()).as(e.getMessage()).isEqualTo(code));
  }

  @Test
  void anUpdateWithAPipelineIsLoggedByWhatItChanged() {
    collection.insertOne(Document.parse("{_id: 1, a: 1, b: 2}"));
    collection.updateOne(
        Filters.eq(1), List.of(Document.parse("{$set: {c: {$add: ['$a', '$b']}, t: '$$NOW'}}")));
    Document stored = collection.find(Filters.eq(1)).first();
    assertThat(stored.get("c")).isEqualTo(3);
    Document change = last().get("o", Document.class);
    assertThat(change.getEmbedded(List.of("diff", "i"), Document.class))
        .isEqualTo(new Document("c", 3).append("t", stored.get("t")));
    collection.updateOne(Filters.eq(1), List.of(Document.parse("{$set: {c: 3}}")));
    assertThat(last().get("o", Document.class)).as("nothing was changed").isEqualTo(change);
  }

  @Test
  void theTimeOfTheClusterIsAVariable() {
    Document found =
        collection
            .aggregate(
                List.of(
                    Document.parse("{$match: {_id: 'start'}}"),
                    Document.parse("{$project: {time: '$$CLUSTER_TIME'}}")))
            .first();
    assertThat(found.get("time", BsonTimestamp.class)).isGreaterThanOrEqualTo(start);
  }
}
