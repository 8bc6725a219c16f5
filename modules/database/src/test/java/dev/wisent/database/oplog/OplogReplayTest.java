package dev.wisent.database.oplog;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Oplog;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.oplog.OplogOperation;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oplog of one database applied to another. */
class OplogReplayTest {
  @TempDir Path directory;
  private TestDatabase source;
  private TestDatabase copy;

  @BeforeEach
  void open() {
    source = TestDatabase.openWithOplog(directory.resolve("source"));
    copy = TestDatabase.open(directory.resolve("copy"));
    source.create("{}");
    copy.create("{}");
  }

  @AfterEach
  void close() {
    source.close();
    copy.close();
  }

  @Test
  void aHistoryOfWritesGivesTheSameDocuments() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new Random(seed);
    for (int i = 0; i < 600; i++) {
      write(random);
    }
    List<RawDocument> entries = entries();
    entries.forEach(this::apply);
    assertThat(documents(copy)).as("seed %d", seed).isEqualTo(documents(source));
    // From any place in the middle to the end once more, as after a restart: the end is the same.
    entries.subList(random.nextInt(entries.size()), entries.size()).forEach(this::applyAgain);
    assertThat(documents(copy)).as("seed %d, again", seed).isEqualTo(documents(source));
    copy.assertValid();
  }

  /** A document that is deleted later is not there to be updated once more. */
  private void applyAgain(RawDocument entry) {
    try {
      apply(entry);
    } catch (CommandException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UPDATE_OPERATION_FAILED);
    }
  }

  private void write(Random random) {
    int id = random.nextInt(20);
    String query = "{_id: " + id + "}";
    switch (random.nextInt(9)) {
      case 0 -> source.tryInsert(true, "{_id: " + id + ", n: 1, a: [1, 2], d: {x: 1, y: [1]}}");
      case 1 -> source.update(query, "{$inc: {n: 1, 'd.x': 2}}");
      case 2 -> source.update(query, "{$push: {a: {$each: [" + id + "], $slice: -5}}}");
      case 3 -> source.upsert(query, "{$set: {'d.y.2': " + random.nextInt(9) + ", z: true}}");
      case 4 -> source.update(query, "{$unset: {n: 1}, $rename: {z: 'zz'}}");
      case 5 -> source.update(query, "{n: {$numberLong: '5'}, a: [], 'other': 'x'}");
      case 6 -> source.updateMany("{_id: {$lt: " + id + "}}", "{$set: {many: " + id + "}}");
      case 7 -> source.update(query, "{$pop: {a: -1}, $mul: {n: 2}}");
      default -> source.delete("{_id: {$in: [" + id + ", " + (id + 1) + "]}}", true);
    }
  }

  @Test
  void insertsThatAreThereBecomeTheDocument() {
    copy.insert("{_id: 1, old: 1}");
    apply(RawDocument.parse("{op: 'i', ns: 'test.c', o: {_id: 1, a: 1}}"));
    assertThat(copy.find("{}")).containsExactly("{\"_id\": 1, \"a\": 1}");
  }

  @Test
  void allFormsOfUpdatesAreKnown() {
    copy.insert("{_id: 1, a: 1, b: 1}");
    apply(RawDocument.parse("{op: 'u', ns: 'test.c', o: {$v: 1, $set: {a: 2}}, o2: {_id: 1}}"));
    apply(RawDocument.parse("{op: 'u', ns: 'test.c', o: {$set: {c: 1}}, o2: {_id: 1}}"));
    apply(
        RawDocument.parse(
            "{op: 'u', ns: 'test.c', o: {$v: 2, diff: {d: {b: false}}}, o2: {_id: 1}}"));
    assertThat(copy.find("{}")).containsExactly("{\"_id\": 1, \"a\": 2, \"c\": 1}");
    apply(RawDocument.parse("{op: 'u', ns: 'test.c', o: {_id: 1, x: 1}, o2: {_id: 1}}"));
    apply(RawDocument.parse("{op: 'u', b: true, ns: 'test.c', o: {$set: {y: 1}}, o2: {_id: 2}}"));
    assertThat(copy.find("{}")).containsExactly("{\"_id\": 1, \"x\": 1}", "{\"_id\": 2, \"y\": 1}");
  }

  @Test
  void whatCannotBeAppliedIsRefused() {
    assertRefused(
        ErrorCode.UPDATE_OPERATION_FAILED,
        "{op: 'u', ns: 'test.c', o: {$v: 2, diff: {u: {a: 1}}}, o2: {_id: 1}}");
    assertRefused(ErrorCode.NO_SUCH_KEY, "{op: 'u', ns: 'test.c', o: {a: 1}}");
    assertRefused(ErrorCode.NO_SUCH_KEY, "{op: 'd', ns: 'test.c', o: {a: 1}}");
    assertRefused(
        ErrorCode.FAILED_TO_PARSE, "{op: 'u', ns: 'test.c', o: {$v: 3, x: 1}, o2: {_id: 1}}");
    assertRefused(ErrorCode.NAMESPACE_NOT_FOUND, "{op: 'i', ns: 'test.none', o: {_id: 1}}");
    assertRefused(
        ErrorCode.NAMESPACE_NOT_FOUND,
        "{op: 'i', ns: 'test.c', ui: {$uuid: '00112233-4455-6677-8899-aabbccddeeff'},"
            + " o: {_id: 1}}");
    assertRefused(ErrorCode.BAD_VALUE, "{op: 'x', ns: 'test.c', o: {_id: 1}}");
    assertRefused(ErrorCode.IDL_FAILED_TO_PARSE, "{op: 'i', ns: 'test.c'}");
    assertRefused(ErrorCode.TYPE_MISMATCH, "{op: 'i', ns: 'test.c', o: 1}");
    apply(RawDocument.parse("{op: 'd', ns: 'test.none', o: {_id: 1}}"));
    assertThat(copy.database().catalog().find(new Namespace("test", "none"))).isNull();
  }

  private void assertRefused(ErrorCode code, String entry) {
    assertThatThrownBy(() -> apply(RawDocument.parse(entry)))
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private void apply(RawDocument entry) {
    OplogOperation operation = OplogOperation.parse(entry);
    copy.database().entries().apply(operation, copy.operation());
  }

  /** The entries of documents, without the UUID, which the copy does not have. */
  private List<RawDocument> entries() {
    return source
        .find(FindRequest.of(Oplog.NAMESPACE, RawDocument.parse("{op: {$ne: 'c'}}")))
        .stream()
        .map(
            entry -> {
              var decoded = entry.toBsonDocument();
              decoded.remove("ui");
              return RawDocument.of(decoded);
            })
        .toList();
  }

  private static List<RawDocument> documents(TestDatabase db) {
    return db.find(FindRequest.of(NAMESPACE, RawDocument.EMPTY)).stream()
        .sorted((a, b) -> a.get("_id").asInt32() - b.get("_id").asInt32())
        .toList();
  }
}
