package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static dev.wisent.conformance.driver.DriverFixture.inAnyOrderOnShards;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class LimitsTest {

  private static final int DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;
  private static final int BAD_VALUE = 2;
  private static final int INVALID_LENGTH = 16;
  private static final int INVALID_NAMESPACE = 73;
  private static final int BSON_OBJECT_TOO_LARGE = 10334;
  private static final int UPDATED_DOCUMENT_TOO_LARGE = 17419;

  @Test
  void storesADocumentOfExactly16MiB(DriverFixture fixture) {
    MongoCollection<RawBsonDocument> collection = raw(fixture);
    RawBsonDocument largest = documentOf(DOCUMENT_BYTES_MAX);

    collection.insertOne(largest);

    RawBsonDocument found = collection.find().first();
    assertThat(found).isNotNull();
    assertThat(found.getByteBuffer().remaining()).isEqualTo(DOCUMENT_BYTES_MAX);
    assertThat(found).isEqualTo(largest);
  }

  @Test
  void refusesOneByteMore(DriverFixture fixture) {
    RawBsonDocument tooLarge = documentOf(DOCUMENT_BYTES_MAX + 1);

    // As a command, because the helper of the driver checks the size itself.
    Document reply =
        fixture
            .database()
            .runCommand(new Document("insert", "large").append("documents", List.of(tooLarge)));

    Document error = reply.getList("writeErrors", Document.class).getFirst();
    assertThat(error.getInteger("code")).isEqualTo(BAD_VALUE);
    assertThat(error.getString("errmsg"))
        .startsWith("object to insert too large. size in bytes: 16777217");
    assertThat(fixture.collection("large").countDocuments()).isZero();
  }

  @Test
  void refusesAnUpdateThatGrowsADocumentBeyondTheLimit(DriverFixture fixture) {
    raw(fixture).insertOne(documentOf(DOCUMENT_BYTES_MAX - 20));

    assertThatThrownBy(
            () ->
                fixture
                    .collection("large")
                    .updateOne(eq("_id", 1), Updates.set("more", "x".repeat(100))))
        .isInstanceOf(MongoException.class)
        .extracting("code")
        .isIn(BSON_OBJECT_TOO_LARGE, UPDATED_DOCUMENT_TOO_LARGE);
    assertThat(fixture.collection("large").countDocuments(new Document("more", null))).isEqualTo(1);
  }

  @Test
  void takes100000DocumentsInOneBatch(DriverFixture fixture) {
    MongoCollection<Document> collection = fixture.collection("many");
    List<Document> documents = new ArrayList<>(100_000);
    for (int i = 0; i < 100_000; i++) {
      documents.add(new Document("_id", i).append("square", (long) i * i));
    }

    assertThat(collection.insertMany(documents, inAnyOrderOnShards()).getInsertedIds())
        .hasSize(100_000);

    assertThat(collection.estimatedDocumentCount()).isEqualTo(100_000);
    assertThat(collection.find(eq("_id", 99_999)).first()).isEqualTo(documents.getLast());
  }

  @Test
  void refusesABatchOf100001(DriverFixture fixture) {
    List<Document> documents =
        IntStream.rangeClosed(0, 100_000).mapToObj(i -> new Document("_id", i)).toList();

    assertThatThrownBy(
            () ->
                fixture
                    .database()
                    .runCommand(new Document("insert", "many").append("documents", documents)))
        .isInstanceOf(MongoException.class)
        .extracting("code")
        .isEqualTo(INVALID_LENGTH);
    assertThat(fixture.collection("many").countDocuments()).isZero();
  }

  @Test
  void takesAMessageOfAlmost48MegaBytes(DriverFixture fixture) {
    MongoCollection<RawBsonDocument> collection = raw(fixture);
    // The driver fills messages up to the limit: 47 of these fit into one.
    List<RawBsonDocument> documents =
        IntStream.range(0, 47).mapToObj(i -> documentOf(1_000_000, i)).toList();

    collection.insertMany(documents);

    assertThat(fixture.collection("large").countDocuments()).isEqualTo(47);
  }

  @Test
  void refusesTooLongNames(DriverFixture fixture) {
    assertThatThrownBy(() -> fixture.collection("n".repeat(256)).insertOne(new Document()))
        .isInstanceOf(MongoException.class)
        .extracting("code")
        .isEqualTo(INVALID_NAMESPACE);
    assertThatThrownBy(
            () ->
                fixture
                    .client()
                    .getDatabase("d".repeat(64))
                    .getCollection("c")
                    .insertOne(new Document()))
        .isInstanceOf(MongoException.class)
        .extracting("code")
        .isEqualTo(INVALID_NAMESPACE);
  }

  private static MongoCollection<RawBsonDocument> raw(DriverFixture fixture) {
    return fixture.database().getCollection("large", RawBsonDocument.class);
  }

  private static RawBsonDocument documentOf(int bytes) {
    return documentOf(bytes, 1);
  }

  /** A document of exactly that many bytes, with {@code _id} and a binary value. */
  private static RawBsonDocument documentOf(int bytes, int id) {
    BsonDocument empty = new BsonDocument("_id", new BsonInt32(id)).append("b", binary(0));
    int overhead = encode(empty).getByteBuffer().remaining();
    RawBsonDocument document =
        encode(new BsonDocument("_id", new BsonInt32(id)).append("b", binary(bytes - overhead)));
    assertThat(document.getByteBuffer().remaining()).isEqualTo(bytes);
    return document;
  }

  private static BsonBinary binary(int length) {
    return new BsonBinary(new byte[length]);
  }

  private static RawBsonDocument encode(BsonDocument document) {
    return new RawBsonDocument(document, new BsonDocumentCodec());
  }
}
