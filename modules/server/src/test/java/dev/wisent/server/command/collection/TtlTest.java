package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Documents that go by themselves. */
@Execution(ExecutionMode.CONCURRENT)
class TtlTest {
  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(options -> options.setParameter("ttlMonitorSleepSecs", "1"));

  private static final BsonDateTime OLD =
      new BsonDateTime(Instant.now().minus(2, ChronoUnit.HOURS).toEpochMilli());
  private static final BsonDateTime NEW =
      new BsonDateTime(Instant.now().plus(2, ChronoUnit.HOURS).toEpochMilli());

  private MongoCollection<BsonDocument> collection;

  @BeforeEach
  void empty() {
    collection = SERVER.fresh("c");
  }

  private static long metric(String name) {
    return number(SERVER.admin("{serverStatus: 1}"), "metrics.ttl." + name);
  }

  /** Waits until a pass has been made that began after now. */
  private static void awaitPass() {
    long passes = metric("passes");
    Eventually.await("two passes", () -> metric("passes") >= passes + 2);
  }

  private static IndexOptions after(long seconds) {
    return new IndexOptions().expireAfter(seconds, TimeUnit.SECONDS);
  }

  private void insert(int id, BsonValue date) {
    collection.insertOne(new BsonDocument("_id", new BsonInt32(id)).append("t", date));
  }

  private List<Integer> ids() {
    var ids = new ArrayList<Integer>();
    collection
        .find()
        .sort(new BsonDocument("_id", new BsonInt32(1)))
        .forEach(document -> ids.add(document.getInt32("_id").getValue()));
    return ids;
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void onlyOldDatesGoAndArraysWithTheirFirst() {
    collection.createIndex(BsonDocument.parse("{t: 1}"), after(3600));
    long deleted = metric("deletedDocuments");
    insert(1, OLD);
    insert(2, NEW);
    insert(3, new BsonArray(List.of(NEW, OLD)));
    insert(4, new BsonArray(List.of(NEW, NEW)));
    insert(5, new BsonInt32(0));
    insert(6, new BsonString("x"));
    insert(7, new BsonTimestamp(1, 1));
    collection.insertOne(BsonDocument.parse("{_id: 8}"));
    insert(9, new BsonDateTime(-5));
    awaitPass();
    assertThat(ids()).containsExactly(2, 4, 5, 6, 7, 8);
    assertThat(metric("deletedDocuments")).isEqualTo(deleted + 3);
    assertThat(SERVER.run("{validate: 'c'}").getBoolean("valid").getValue()).isTrue();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void descendingPartialHiddenAndUnique() {
    collection.createIndex(
        BsonDocument.parse("{t: -1}"),
        after(0).partialFilterExpression(BsonDocument.parse("{x: 1}")).hidden(true).unique(true));
    collection.insertOne(BsonDocument.parse("{_id: 1, x: 1}").append("t", OLD));
    collection.insertOne(BsonDocument.parse("{_id: 2, x: 2}").append("t", OLD));
    collection.insertOne(BsonDocument.parse("{_id: 3, x: 1}").append("t", NEW));
    awaitPass();
    assertThat(ids()).containsExactly(2, 3);
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void collModChangesTheTime() {
    collection.createIndex(BsonDocument.parse("{t: 1}"));
    insert(1, OLD);
    BsonDocument reply =
        SERVER.run("{collMod: 'c', index: {keyPattern: {t: 1}, expireAfterSeconds: 36000}}");
    assertThat(number(reply, "expireAfterSeconds_new")).isEqualTo(36000);
    assertThat(reply).doesNotContainKey("expireAfterSeconds_old");
    awaitPass();
    assertThat(ids()).containsExactly(1);
    reply = SERVER.run("{collMod: 'c', index: {name: 't_1', expireAfterSeconds: 3600}}");
    assertThat(number(reply, "expireAfterSeconds_old")).isEqualTo(36000);
    assertThat(number(reply, "expireAfterSeconds_new")).isEqualTo(3600);
    awaitPass();
    assertThat(ids()).isEmpty();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void clusteredCollection() {
    collection.drop();
    SERVER.run(
        "{create: 'c', clusteredIndex: {key: {_id: 1}, unique: true}, expireAfterSeconds: 3600}");
    collection.insertOne(new BsonDocument("_id", OLD));
    collection.insertOne(new BsonDocument("_id", NEW));
    collection.insertOne(new BsonDocument("_id", new BsonInt32(1)));
    awaitPass();
    assertThat(collection.countDocuments()).isEqualTo(2);
    SERVER.run("{collMod: 'c', expireAfterSeconds: 'off'}");
    collection.insertOne(new BsonDocument("_id", OLD));
    awaitPass();
    assertThat(collection.countDocuments()).isEqualTo(3);
    assertCode(SERVER.fail("{create: 'd', expireAfterSeconds: 5}"), 72);
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void manyBatches() {
    long deleted = metric("deletedDocuments");
    SERVER.admin("{setParameter: 1, ttlMonitorEnabled: false}");
    try {
      var documents = new ArrayList<BsonDocument>();
      for (int i = 0; i < 2500; i++) {
        documents.add(new BsonDocument("_id", new BsonInt32(i)).append("t", OLD));
      }
      collection.insertMany(documents);
      assertThat(collection.countDocuments()).isEqualTo(2500);
      collection.createIndex(BsonDocument.parse("{t: 1}"), after(0));
    } finally {
      SERVER.admin("{setParameter: 1, ttlMonitorEnabled: true}");
    }
    Eventually.await("all to be gone", () -> metric("deletedDocuments") >= deleted + 2500);
    assertThat(collection.countDocuments()).isZero();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void parameters() {
    BsonDocument parameters =
        SERVER.admin("{getParameter: 1, ttlMonitorSleepSecs: 1, ttlMonitorEnabled: 1}");
    assertThat(number(parameters, "ttlMonitorSleepSecs")).isEqualTo(1);
    assertThat(parameters.getBoolean("ttlMonitorEnabled").getValue()).isTrue();
    assertCode(SERVER.fail("admin", "{setParameter: 1, ttlMonitorSleepSecs: 0}"), 2);
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void notForCappedCollections() {
    collection.drop();
    SERVER.run("{create: 'c', capped: true, size: 10000}");
    assertCode(
        SERVER.fail(
            "{createIndexes: 'c', indexes: [{key: {t: 1}, name: 't', expireAfterSeconds: 1}]}"),
        67);
  }
}
