package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoWriteException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Updates;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class ErrorDetailsTest {

  private static final int DUPLICATE_KEY = 11000;
  private static final int COMMAND_NOT_FOUND = 59;
  private static final int MAX_TIME_EXPIRED = 50;

  @Test
  void aDuplicateIdSaysWhatAndWhere(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("people");
    collection.insertOne(new Document("_id", 7));

    MongoWriteException e =
        catchThrowableOfType(
            MongoWriteException.class, () -> collection.insertOne(new Document("_id", 7)));

    assertThat(e.getError().getCategory()).isEqualTo(ErrorCategory.DUPLICATE_KEY);
    assertThat(e.getCode()).isEqualTo(DUPLICATE_KEY);
    assertThat(e.getError().getMessage())
        .isEqualTo(
            "E11000 duplicate key error collection: driver_tests.people index: _id_ dup key:"
                + " { _id: 7 }");
  }

  @Test
  void theReplyNamesPatternAndValue(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("people");
    collection.createIndex(
        Indexes.compoundIndex(Indexes.ascending("name"), Indexes.descending("born")),
        new IndexOptions().unique(true));
    Document person = new Document("name", "Ada").append("born", 1815);
    collection.insertOne(new Document(person).append("_id", 1));

    Document reply =
        fixture
            .database()
            .runCommand(
                new Document("insert", "people")
                    .append("documents", List.of(new Document(person).append("_id", 2))));

    Document error = reply.getList("writeErrors", Document.class).getFirst();
    assertThat(error.getInteger("index")).isZero();
    assertThat(error.getInteger("code")).isEqualTo(DUPLICATE_KEY);
    assertThat(error.get("keyPattern")).isEqualTo(new Document("name", 1).append("born", -1));
    assertThat(error.get("keyValue")).isEqualTo(person);
    assertThat(error.getString("errmsg"))
        .contains("index: name_1_born_-1 dup key: { name: \"Ada\", born: 1815 }");
    assertThat(reply.getInteger("n")).isZero();
  }

  @Test
  void findAndModifyFailsAsACommand(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("people");
    collection.createIndex(Indexes.ascending("name"), new IndexOptions().unique(true));
    collection.insertOne(new Document("_id", 1).append("name", "Ada"));

    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                collection.findOneAndUpdate(
                    eq(2), Updates.set("name", "Ada"), new FindOneAndUpdateOptions().upsert(true)));

    assertThat(e.getErrorCode()).isEqualTo(DUPLICATE_KEY);
    assertThat(e.getErrorCodeName()).isEqualTo("DuplicateKey");
    assertThat(e.getResponse().getDocument("keyPattern"))
        .isEqualTo(BsonDocument.parse("{name: 1}"));
    assertThat(e.getResponse().getDocument("keyValue"))
        .isEqualTo(BsonDocument.parse("{name: 'Ada'}"));
  }

  @Test
  void anOrderedBatchStopsAtTheFirstError(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("batch");

    MongoBulkWriteException e =
        catchThrowableOfType(
            MongoBulkWriteException.class, () -> collection.insertMany(withDuplicates()));

    assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(1);
    assertThat(e.getWriteErrors()).extracting(BulkWriteError::getIndex).containsExactly(1);
    assertThat(collection.countDocuments()).isEqualTo(1);
  }

  @Test
  void anUnorderedBatchGoesOn(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("batch");

    MongoBulkWriteException e =
        catchThrowableOfType(
            MongoBulkWriteException.class,
            () -> collection.insertMany(withDuplicates(), new InsertManyOptions().ordered(false)));

    assertThat(e.getWriteResult().getInsertedCount()).isEqualTo(2);
    assertThat(e.getWriteErrors()).extracting(BulkWriteError::getIndex).containsExactly(1, 3);
    assertThat(collection.countDocuments()).isEqualTo(2);
  }

  @Test
  void anUnknownCommandIsNamed(DriverFixture fixture) {
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> fixture.database().runCommand(new Document("noSuchThing", 1)));

    assertThat(e.getErrorCode()).isEqualTo(COMMAND_NOT_FOUND);
    assertThat(e.getErrorCodeName()).isEqualTo("CommandNotFound");
    assertThat(e.getErrorMessage()).isEqualTo("no such command: 'noSuchThing'");
  }

  @Test
  void aSlowQueryEndsWithMaxTime(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("numbers");
    collection.insertOne(new Document("many", 100_000));
    // A loop in a loop in a loop: no machine comes to its end.
    String sum = "1";
    for (int i = 0; i < 3; i++) {
      sum =
          "{$reduce: {input: {$range: [0, '$many']}, initialValue: 0, in: {$add: ['$$this', "
              + sum
              + "]}}}";
    }
    Bson endless = Filters.expr(Document.parse(sum));

    MongoExecutionTimeoutException e =
        catchThrowableOfType(
            MongoExecutionTimeoutException.class,
            () -> collection.find(endless).maxTime(1, TimeUnit.MILLISECONDS).first());

    assertThat(e.getCode()).isEqualTo(MAX_TIME_EXPIRED);
  }

  private static List<Document> withDuplicates() {
    return List.of(
        new Document("_id", 1),
        new Document("_id", 1),
        new Document("_id", 2),
        new Document("_id", 2));
  }
}
