package dev.wisent.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A driver that loses answers of a replica set sends writes again, and they have one effect. */
@Execution(ExecutionMode.CONCURRENT)
class RetryingDriverTest {
  @RegisterExtension
  static final EmbeddedServer SERVER = new EmbeddedServer(options -> options.replicaSet("rs0"));

  private static MongoClient client;
  private MongoCollection<BsonDocument> collection;

  @BeforeAll
  static void initiate() {
    String host = "127.0.0.1:" + SERVER.server().port();
    SERVER.admin("{replSetInitiate: {_id: 'rs0', members: [{_id: 0, host: '" + host + "'}]}}");
    client = MongoClients.create("mongodb://" + host + "/?replicaSet=rs0");
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  @BeforeEach
  void empty() {
    collection = client.getDatabase("test").getCollection("c", BsonDocument.class);
    collection.drop();
    collection.insertOne(BsonDocument.parse("{_id: 1, n: 0}"));
  }

  private static void loseAnswers(int times, String data) {
    client
        .getDatabase("admin")
        .runCommand(
            BsonDocument.parse(
                "{configureFailPoint: 'onPrimaryTransactionalWrite', mode: {times: "
                    + times
                    + "}, data: {"
                    + data
                    + "}}"));
  }

  private BsonDocument one() {
    return collection.find(Filters.eq(1)).first();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void anIncrementCountsOnce() {
    loseAnswers(1, "");
    assertThat(collection.updateOne(Filters.eq(1), Updates.inc("n", 1)).getModifiedCount())
        .isEqualTo(1);
    assertThat(one()).isEqualTo(BsonDocument.parse("{_id: 1, n: 1}"));
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void anUpsertGivesItsId() {
    loseAnswers(1, "");
    var result =
        collection.updateOne(
            Filters.eq("key", "x"), Updates.inc("n", 1), new UpdateOptions().upsert(true));
    assertThat(result.getUpsertedId()).isNotNull();
    assertThat(collection.countDocuments(Filters.eq(result.getUpsertedId()))).isEqualTo(1);
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void aDocumentIsReturnedAsItWas() {
    loseAnswers(1, "");
    assertThat(collection.findOneAndUpdate(Filters.eq(1), Updates.inc("n", 1)))
        .isEqualTo(BsonDocument.parse("{_id: 1, n: 0}"));
    loseAnswers(1, "");
    assertThat(collection.findOneAndDelete(Filters.eq(1)))
        .isEqualTo(BsonDocument.parse("{_id: 1, n: 1}"));
    assertThat(collection.countDocuments()).isZero();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void aBatchGoesOnWhereItStopped() {
    loseAnswers(1, "failBeforeCommitExceptionCode: 1");
    var result =
        collection.bulkWrite(
            List.of(
                new InsertOneModel<>(BsonDocument.parse("{_id: 2}")),
                new UpdateOneModel<>(Filters.eq(1), Updates.inc("n", 1)),
                new UpdateOneModel<>(Filters.eq(1), Updates.inc("n", 1))));
    assertThat(result.getInsertedCount()).isEqualTo(1);
    assertThat(result.getModifiedCount()).isEqualTo(2);
    assertThat(one()).isEqualTo(BsonDocument.parse("{_id: 1, n: 2}"));
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void aWriteThatNeverGetsThroughHasNoEffect() {
    loseAnswers(2, "failBeforeCommitExceptionCode: 1");
    assertThatThrownBy(() -> collection.updateOne(Filters.eq(1), Updates.inc("n", 1)))
        .isInstanceOf(MongoException.class);
    assertThat(one()).isEqualTo(BsonDocument.parse("{_id: 1, n: 0}"));
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void theOplogSaysWhichStatementItWas() {
    collection.updateOne(Filters.eq(1), Updates.inc("n", 5));
    BsonDocument entry =
        client
            .getDatabase("local")
            .getCollection("oplog.rs", BsonDocument.class)
            .find(Filters.and(Filters.eq("op", "u"), Filters.eq("ns", "test.c")))
            .sort(BsonDocument.parse("{$natural: -1}"))
            .first();
    assertThat(entry.getDocument("lsid").keySet()).containsExactly("id", "uid");
    assertThat(entry.getInt64("txnNumber").getValue()).isPositive();
    assertThat(entry.get("stmtId")).isEqualTo(new BsonInt32(0));
    assertThat(entry.get("op")).isEqualTo(new BsonString("u"));
  }
}
