package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.MessageHeader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents at the limit of 16 MiB, batches at that of 100,000. */
class SizeLimitsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final int DOCUMENT_MAX = 16 * 1024 * 1024;

  private RawClient client;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
    SERVER.fresh("c");
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  /** A document with {@code _id: 1} of exactly this many bytes. */
  private static RawDocument sized(int bytes) {
    return new BsonBuilder(bytes)
        .appendInt32("_id", 1)
        .appendString("s", "x".repeat(bytes - 22))
        .toDocument();
  }

  /** A command with its statements as a document sequence. */
  private BsonDocument run(String command, String field, RawDocument... documents) {
    var sequence = new ByteArrayOutputStream();
    sequence.writeBytes((field + "\0").getBytes(StandardCharsets.UTF_8));
    for (RawDocument document : documents) {
      sequence.write(document.bytes(), document.offset(), document.length());
    }
    byte[] body = client.message(0, RawDocument.parse(command));
    byte[] message = java.util.Arrays.copyOf(body, body.length + 5 + sequence.size());
    message[body.length] = 1;
    LittleEndian.putInt32(message, body.length + 1, 4 + sequence.size());
    System.arraycopy(sequence.toByteArray(), 0, message, body.length + 5, sequence.size());
    LittleEndian.putInt32(message, 0, message.length);
    client.send(message);
    return RawClient.body(client.receive());
  }

  private static int writeErrorCode(BsonDocument reply) {
    assertOk(reply);
    return reply.getArray("writeErrors").get(0).asDocument().getInt32("code").getValue();
  }

  @Test
  void insertOfExactly16MiB() {
    assertThat(sized(DOCUMENT_MAX).length()).isEqualTo(DOCUMENT_MAX);
    BsonDocument reply = run("{insert: 'c', $db: 'test'}", "documents", sized(DOCUMENT_MAX));
    assertThat(reply).doesNotContainKey("writeErrors");
    client.send(client.message(0, RawDocument.parse("{find: 'c', $db: 'test'}")));
    byte[] found = client.receive();
    assertThat(found.length).isGreaterThan(DOCUMENT_MAX);
    assertThat(MessageHeader.opCode(found)).isEqualTo(MessageHeader.OP_MSG);
  }

  @Test
  void insertOfOneByteMore() {
    BsonDocument reply = run("{insert: 'c', $db: 'test'}", "documents", sized(DOCUMENT_MAX + 1));
    assertThat(writeErrorCode(reply)).isEqualTo(2);
    assertThat(reply.getArray("writeErrors").get(0).asDocument().getString("errmsg").getValue())
        .isEqualTo("object to insert too large. size in bytes: 16777217, max size: 16777216");
    assertThat(client.run("{count: 'c', $db: 'test'}").getInt32("n").getValue()).isZero();
  }

  @Test
  void insertFarTooLarge() {
    BsonDocument reply =
        run("{insert: 'c', $db: 'test'}", "documents", sized(DOCUMENT_MAX + 20_000));
    assertCode(reply, 10334);
    assertOk(client.run("{ping: 1, $db: 'test'}"));
  }

  @Test
  void missingIdCounts() {
    RawDocument withoutId =
        new BsonBuilder().appendString("s", "x".repeat(DOCUMENT_MAX - 13)).toDocument();
    assertThat(withoutId.length()).isEqualTo(DOCUMENT_MAX);
    // MongoDB looks at the document as it was sent; the _id that it adds may exceed the limit.
    BsonDocument reply = run("{insert: 'c', $db: 'test'}", "documents", withoutId);
    assertOk(reply);
    assertThat(reply).doesNotContainKey("writeErrors");
  }

  @Test
  void updateThatGrowsTooFar() {
    run("{insert: 'c', $db: 'test'}", "documents", sized(DOCUMENT_MAX - 100));
    BsonDocument grown =
        client.run(
            "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {t: '"
                + "y".repeat(200)
                + "'}}}], $db: 'test'}");
    assertThat(writeErrorCode(grown)).isEqualTo(17419);
    assertThat(grown.getInt32("n").getValue()).isZero();
  }

  @Test
  void upsertTooLarge() {
    // The statement has to fit into 16 KiB more than a document may have.
    String half = "z".repeat(DOCUMENT_MAX / 2);
    BsonBuilder statement = new BsonBuilder(DOCUMENT_MAX + 16_000);
    statement.startDocument("q").appendInt32("_id", 1).appendString("a", half).end();
    statement.startDocument("u").startDocument("$set").appendString("b", half).end().end();
    statement.appendBoolean("upsert", true);
    BsonDocument reply = run("{update: 'c', $db: 'test'}", "updates", statement.toDocument());
    assertThat(writeErrorCode(reply)).isEqualTo(17420);
  }

  @Test
  void batchesEndAt16MiB() {
    for (int id = 0; id < 5; id++) {
      RawDocument document =
          new BsonBuilder()
              .appendInt32("_id", id)
              .appendString("s", "x".repeat(5 * 1024 * 1024))
              .toDocument();
      assertOk(run("{insert: 'c', $db: 'test'}", "documents", document));
    }
    BsonDocument reply = client.run("{find: 'c', $db: 'test'}");
    assertThat(reply.getDocument("cursor").getArray("firstBatch").size()).isEqualTo(3);
    assertThat(reply.getDocument("cursor").getInt64("id").getValue()).isNotZero();
  }

  private static RawDocument[] many(int count) {
    var documents = new RawDocument[count];
    for (int i = 0; i < count; i++) {
      documents[i] = new BsonBuilder(32).appendInt32("_id", i).toDocument();
    }
    return documents;
  }

  @Test
  void batchOf100000() {
    BsonDocument reply = run("{insert: 'c', $db: 'test'}", "documents", many(100_000));
    assertThat(reply.getInt32("n").getValue()).isEqualTo(100_000);
    assertThat(client.run("{count: 'c', $db: 'test'}").getInt32("n").getValue()).isEqualTo(100_000);
  }

  @ParameterizedTest
  @CsvSource({"0", "100001"})
  void batchOfAWrongSize(int count) {
    String message =
        "Write batch sizes must be between 1 and 100000. Got " + count + " operations.";
    assertError(run("{insert: 'c', $db: 'test'}", "documents", many(count)), 16, message);
    assertThat(client.run("{count: 'c', $db: 'test'}").getInt32("n").getValue()).isZero();
  }

  @Test
  void emptyBatches() {
    String message = "Write batch sizes must be between 1 and 100000. Got 0 operations.";
    assertError(client.run("{update: 'c', updates: [], $db: 'test'}"), 16, message);
    assertError(client.run("{delete: 'c', deletes: [], $db: 'test'}"), 16, message);
    assertError(
        client.run("{bulkWrite: 1, ops: [], nsInfo: [{ns: 'test.c'}], $db: 'admin'}"), 16, message);
  }

  @Test
  void sequenceThatTheCommandDoesNotKnow() {
    assertError(
        run("{insert: 'c', documents: [{}], $db: 'test'}", "others", many(1)),
        40415,
        "BSON field 'insert.others' is an unknown field.");
    assertCode(run("{find: 'c', $db: 'test'}", "documents", many(1)), 40415);
    assertCode(run("{insert: 'c', documents: [{}], $db: 'test'}", "documents", many(1)), 40433);
  }

  @Test
  void nestingOfStoredDocuments() {
    assertOk(
        client.run("{insert: 'c', documents: [{_id: 1, a: " + nested(178) + "}], $db: 'test'}"));
    BsonDocument tooDeep =
        client.run("{insert: 'c', documents: [{_id: 2, a: " + nested(185) + "}], $db: 'test'}");
    assertThat(writeErrorCode(tooDeep)).isEqualTo(15);
  }

  private static String nested(int levels) {
    return "{a: ".repeat(levels) + "1" + "}".repeat(levels);
  }
}
