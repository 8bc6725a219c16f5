package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Collections that forget their oldest documents. */
class CappedCollectionTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void drop() {
    SERVER.run("{drop: 'c'}");
  }

  private static void insert(int from, int to) {
    String documents =
        IntStream.range(from, to)
            .mapToObj(i -> "{_id: " + i + ", s: '" + "x".repeat(80) + "'}")
            .collect(Collectors.joining(", "));
    BsonDocument reply = SERVER.run("{insert: 'c', documents: [" + documents + "]}");
    assertThat(reply).doesNotContainKey("writeErrors");
  }

  private static List<Integer> ids(String find) {
    return batch(SERVER.run("{find: 'c', batchSize: 1000" + find + "}")).stream()
        .map(d -> d.asDocument().getInt32("_id").getValue())
        .toList();
  }

  private static BsonDocument options() {
    return batch(SERVER.run("{listCollections: 1, filter: {name: 'c'}}"))
        .getFirst()
        .asDocument()
        .getDocument("options");
  }

  @Test
  void oldestGoWhenThereAreTooMany() {
    SERVER.run("{create: 'c', capped: true, size: 100000, max: 5}");
    insert(0, 8);
    assertThat(ids("")).containsExactly(3, 4, 5, 6, 7);
    assertThat(ids(", sort: {$natural: -1}")).containsExactly(7, 6, 5, 4, 3);
    assertThat(ids(", filter: {_id: 0}")).as("its index entry went too").isEmpty();
    assertOk(SERVER.run("{validate: 'c'}"));
    assertThat(SERVER.run("{validate: 'c'}").getBoolean("valid").getValue()).isTrue();
  }

  @Test
  void oldestGoWhenTheyAreTooLarge() {
    SERVER.run("{create: 'c', capped: true, size: 4096}");
    insert(0, 100);
    List<Integer> left = ids("");
    assertThat(left.getLast()).isEqualTo(99);
    assertThat(left.size()).isBetween(30, 45);
    assertThat(left).isSorted();
    BsonDocument stats = SERVER.run("{collStats: 'c'}");
    assertThat(number(stats, "size")).isLessThanOrEqualTo(4096);
    assertThat(number(stats, "count")).isEqualTo(left.size());
    assertThat(stats.getBoolean("capped").getValue()).isTrue();
    assertThat(number(stats, "maxSize")).isEqualTo(4096);
  }

  @ParameterizedTest
  @CsvSource({"1, 256", "256, 256", "257, 512", "4096, 4096", "5000, 5120"})
  void sizeIsRoundedUp(int asked, int stored) {
    SERVER.run("{create: 'c', capped: true, size: " + asked + "}");
    assertThat(number(options(), "size")).isEqualTo(stored);
  }

  @Test
  void creatingAgain() {
    SERVER.run("{create: 'c', capped: true, size: 4096, max: 3}");
    assertOk(SERVER.run("{create: 'c', capped: true, size: 4096, max: 3}"));
    assertCode(SERVER.fail("{create: 'c', capped: true, size: 8192, max: 3}"), 48);
    assertCode(SERVER.fail("{create: 'c'}"), 48);
  }

  @Test
  void wrongOptions() {
    assertError(
        SERVER.fail("{create: 'c', capped: true}"),
        72,
        "the 'size' field is required when 'capped' is true");
    assertError(
        SERVER.fail("{create: 'c', size: 4096}"),
        72,
        "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
    assertCode(SERVER.fail("{create: 'c', max: 5}"), 72);
    assertError(
        SERVER.fail("{create: 'c', capped: true, size: 0}"),
        2,
        "BSON field 'size' value must be >= 1, actual value '0'");
    assertCode(
        SERVER.fail("{create: 'c', capped: true, size: {$numberLong: '2251799813685248'}}"), 2);
    assertCode(
        SERVER.fail("{create: 'c', capped: true, size: 4096, max: {$numberLong: '2147483648'}}"),
        2);
  }

  @Test
  void updatesAndDeletes() {
    SERVER.run("{create: 'c', capped: true, size: 100000, max: 5}");
    insert(0, 3);
    SERVER.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {s: 'short'}}}]}");
    SERVER.run("{delete: 'c', deletes: [{q: {_id: 0}, limit: 1}]}");
    assertThat(ids("")).containsExactly(1, 2);
    insert(3, 10);
    assertThat(ids("")).containsExactly(5, 6, 7, 8, 9);
  }

  @Test
  void collModChangesTheLimits() {
    SERVER.run("{create: 'c', capped: true, size: 100000}");
    insert(0, 20);
    assertOk(SERVER.run("{collMod: 'c', cappedMax: 5}"));
    assertThat(ids("")).as("until the next insert").hasSize(20);
    insert(20, 21);
    assertThat(ids("")).containsExactly(16, 17, 18, 19, 20);
    assertOk(SERVER.run("{collMod: 'c', cappedSize: 512}"));
    insert(21, 22);
    assertThat(ids("").size()).isLessThanOrEqualTo(5);
    assertThat(number(options(), "size")).isEqualTo(512);
    assertCode(SERVER.fail("{collMod: 'c', cappedSize: 0}"), 2);
    SERVER.run("{drop: 'c'}");
    SERVER.run("{create: 'c'}");
    assertError(SERVER.fail("{collMod: 'c', cappedSize: 1000}"), 72, "Collection must be capped.");
  }

  @Test
  void convertToCappedKeepsWhatElseTheCollectionHas() {
    SERVER.run(
        "{create: 'c', collation: {locale: 'en', strength: 2}, validator: {a: {$exists: true}}}");
    SERVER.run("{insert: 'c', documents: [{_id: 'Name', a: 1}]}");
    assertOk(SERVER.run("{convertToCapped: 'c', size: 4096}"));
    BsonDocument info =
        SERVER
            .run("{listCollections: 1}")
            .getDocument("cursor")
            .getArray("firstBatch")
            .get(0)
            .asDocument();
    assertThat(info.getDocument("options").keySet())
        .containsExactly("collation", "validator", "capped", "size");
    assertThat(SERVER.run("{count: 'c', query: {_id: 'nAME'}}").getInt32("n").getValue()).isOne();
  }

  @Test
  void convertToCapped() {
    SERVER.run("{create: 'c'}");
    insert(0, 100);
    SERVER.run("{createIndexes: 'c', indexes: [{key: {s: 1}, name: 's'}]}");
    assertOk(SERVER.run("{convertToCapped: 'c', size: 4096}"));
    assertThat(options().keySet()).containsExactly("capped", "size");
    List<Integer> left = ids("");
    assertThat(left.getLast()).isEqualTo(99);
    assertThat(left.size()).isBetween(30, 45);
    assertThat(batch(SERVER.run("{listIndexes: 'c'}"))).as("only that of _id is kept").hasSize(1);
    assertThat(SERVER.run("{validate: 'c'}").getBoolean("valid").getValue()).isTrue();
    assertThat(batch(SERVER.run("{listCollections: 1, filter: {name: /^tmp/}}"))).isEmpty();
    assertCode(SERVER.fail("{convertToCapped: 'nosuch', size: 1000}"), 26);
    assertCode(SERVER.fail("{convertToCapped: 'c', size: 0}"), 2);
    assertCode(SERVER.fail("{convertToCapped: 'c'}"), 40414);
  }

  @Test
  void convertToCappedKeepsEverythingWhereADocumentDoesNotFit() {
    SERVER.run("{create: 'c'}");
    insert(0, 3);
    SERVER.run("{insert: 'c', documents: [{_id: 3, s: '" + "x".repeat(5000) + "'}, {_id: 4}]}");
    assertCode(SERVER.fail("{convertToCapped: 'c', size: 4096}"), 2);
    assertThat(ids("")).containsExactly(0, 1, 2, 3, 4);
    assertThat(batch(SERVER.run("{listCollections: 1, filter: {name: /^tmp/}}"))).isEmpty();
  }

  @Test
  void documentLargerThanTheCollection() {
    SERVER.run("{create: 'c', capped: true, size: 4096}");
    BsonDocument reply =
        SERVER.run("{insert: 'c', documents: [{_id: 1, s: '" + "x".repeat(5000) + "'}]}");
    BsonDocument error = reply.getArray("writeErrors").get(0).asDocument();
    assertThat(error.getInt32("code").getValue()).isEqualTo(2);
    assertThat(error.getString("errmsg").getValue())
        .isEqualTo("object to insert exceeds cappedMaxSize");
    assertThat(ids("")).isEmpty();
  }

  @Test
  void cloneAsCapped() {
    SERVER.fresh("source");
    SERVER.fresh("clone");
    for (int i = 0; i < 60; i++) {
      SERVER.run("{insert: 'source', documents: [{_id: " + i + ", s: '" + "x".repeat(100) + "'}]}");
    }
    SERVER.run("{createIndexes: 'source', indexes: [{key: {s: 1}, name: 's_1'}]}");
    assertOk(SERVER.run("{cloneCollectionAsCapped: 'source', toCollection: 'clone', size: 4096}"));
    BsonDocument info =
        batch(SERVER.run("{listCollections: 1, filter: {name: 'clone'}}")).getFirst().asDocument();
    assertThat(info.getDocument("options"))
        .isEqualTo(BsonDocument.parse("{capped: true, size: 4096}"));
    assertThat(batch(SERVER.run("{listIndexes: 'clone'}"))).hasSize(1);
    int copied = SERVER.run("{count: 'clone'}").getInt32("n").getValue();
    assertThat(copied).isBetween(10, 59);
    assertThat(batch(SERVER.run("{find: 'clone', sort: {_id: -1}, limit: 1, projection: {s: 0}}")))
        .containsExactly(BsonDocument.parse("{_id: 59}"));
    assertThat(SERVER.run("{count: 'source'}").getInt32("n").getValue()).isEqualTo(60);
    assertCode(
        SERVER.fail("{cloneCollectionAsCapped: 'source', toCollection: 'clone', size: 1}"), 48);
    assertCode(SERVER.fail("{cloneCollectionAsCapped: 'nosuch', toCollection: 'd', size: 1}"), 26);
    assertCode(SERVER.fail("{cloneCollectionAsCapped: 'source', toCollection: 'd'}"), 40414);
    assertCode(SERVER.fail("{cloneCollectionAsCapped: 'source', size: 1}"), 40414);
    SERVER.run("{create: 'v', viewOn: 'source', pipeline: []}");
    assertCode(SERVER.fail("{cloneCollectionAsCapped: 'v', toCollection: 'd', size: 1}"), 166);
    SERVER.run("{drop: 'v'}");
  }
}
