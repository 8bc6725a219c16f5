package dev.wisent.database.oplog;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.write.ExpiryExecutor;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the oplog says of changes to documents. */
class OplogOfWritesTest {
  private static final String PAD = "pad: '" + "x".repeat(100) + "'";

  @TempDir Path directory;
  private TestDatabase db;

  @BeforeEach
  void open() {
    db = TestDatabase.openWithOplog(directory);
    db.create("{}");
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void eachInsertedDocumentHasAnEntry() {
    db.insert("{_id: 1, a: 'x'}", "{_id: 2}");
    assertWritten(
        "{op: 'i', ns: 'test.c', o: {_id: 1, a: 'x'}, o2: {_id: 1}}",
        "{op: 'i', ns: 'test.c', o: {_id: 2}, o2: {_id: 2}}");
  }

  @Test
  void anEntryHasTimeTermVersionAndUuid() {
    db.insert("{_id: 1}");
    BsonDocument entry = entries().getLast();
    assertThat(entry.keySet()).containsExactly("op", "ns", "ui", "o", "o2", "ts", "t", "v", "wall");
    UUID uuid = db.collection().definition().uuid();
    assertThat(entry.get("ui")).isEqualTo(new BsonBinary(uuid));
    BsonTimestamp time = entry.getTimestamp("ts");
    assertThat(entry.get("t")).isEqualTo(new BsonInt64(7));
    assertThat(entry.get("v")).isEqualTo(new BsonInt64(2));
    assertThat(entry.get("wall")).isEqualTo(new BsonDateTime(time.getTime() * 1000L));
  }

  @Test
  void modifiersAreLoggedByTheirResult() {
    db.insert("{_id: 1, n: 1, " + PAD + "}");
    forget();
    db.update("{_id: 1}", "{$inc: {n: 5}, $set: {new: true}}");
    db.update("{_id: 1}", "{$unset: {n: 1}}");
    assertWritten(
        "{op: 'u', ns: 'test.c', o: {$v: 2, diff: {u: {n: 6}, i: {new: true}}}, o2: {_id: 1}}",
        "{op: 'u', ns: 'test.c', o: {$v: 2, diff: {d: {n: false}}}, o2: {_id: 1}}");
  }

  @Test
  void replacementsAreLoggedWhole() {
    db.insert("{_id: 1, n: 1, " + PAD + "}");
    forget();
    db.update("{_id: 1}", "{n: 2, " + PAD + "}");
    assertWritten("{op: 'u', ns: 'test.c', o: {_id: 1, n: 2, " + PAD + "}, o2: {_id: 1}}");
  }

  @Test
  void updatesOfManyDocumentsAreLoggedOneByOneAndUnchangedOnesNot() {
    db.insert("{_id: 1, n: 1}", "{_id: 2, n: 2}", "{_id: 3, n: 1}");
    forget();
    db.updateMany("{}", "{$set: {n: 2}}");
    assertWritten(
        "{op: 'u', ns: 'test.c', o: {$v: 2, diff: {u: {n: 2}}}, o2: {_id: 1}}",
        "{op: 'u', ns: 'test.c', o: {$v: 2, diff: {u: {n: 2}}}, o2: {_id: 3}}");
  }

  @Test
  void upsertsThatInsertAreInserts() {
    db.upsert("{_id: 9}", "{$set: {a: 1}}");
    assertWritten("{op: 'i', ns: 'test.c', o: {_id: 9, a: 1}, o2: {_id: 9}}");
  }

  @Test
  void deletesAreLoggedById() {
    db.insert("{_id: 1, a: 1}", "{_id: {x: 2}, a: 1}");
    forget();
    db.delete("{a: 1}", true);
    assertWritten(
        "{op: 'd', ns: 'test.c', o: {_id: 1}}", "{op: 'd', ns: 'test.c', o: {_id: {x: 2}}}");
  }

  @Test
  void whatFailsLeavesNoEntry() {
    db.createIndex("{a: 1}", "unique");
    db.insert("{_id: 1, a: 1}");
    forget();
    db.tryInsert(false, "{_id: 2, a: 2}", "{_id: 3, a: 1}", "{_id: 1}", "{_id: 4, a: 4}");
    db.update("{_id: 2}", "{$set: {a: 4}}");
    assertWritten(
        "{op: 'i', ns: 'test.c', o: {_id: 2, a: 2}, o2: {_id: 2}}",
        "{op: 'i', ns: 'test.c', o: {_id: 4, a: 4}, o2: {_id: 4}}");
  }

  @Test
  void whatACappedCollectionPushesOutIsDeleted() {
    db.database().changes().drop(db.collection(), db.operation());
    db.create("{capped: true, size: 4096, max: 1}");
    db.insert("{_id: 1}");
    forget();
    db.insert("{_id: 2}");
    assertWritten(
        "{op: 'i', ns: 'test.c', o: {_id: 2}, o2: {_id: 2}}",
        "{op: 'd', ns: 'test.c', o: {_id: 1}}");
  }

  @Test
  void whatHasOutlivedItsTimeIsDeleted() {
    db.database()
        .changes()
        .addIndexes(
            db.collection(),
            List.of(RawDocument.parse("{v: 2, key: {at: 1}, name: 'at_1', expireAfterSeconds: 1}")),
            db.operation());
    db.insert("{_id: 1, at: {$date: '2001-01-01T00:00:00Z'}}", "{_id: 2}");
    forget();
    ExpiryExecutor expiry = db.database().expiry();
    expiry.lifetimes().forEach(lifetime -> expiry.deleteExpired(lifetime, db.operation()));
    assertWritten("{op: 'd', ns: 'test.c', o: {_id: 1}}");
  }

  @Test
  void namespacesThatEachMemberHasForItselfHaveNoEntries() {
    insertInto(new Namespace("local", "mine"));
    insertInto(new Namespace("test", "system.profile"));
    assertThat(written()).isEmpty();
    insertInto(new Namespace("config", "shared"));
    assertThat(written()).isNotEmpty();
  }

  @Test
  void aStandaloneKeepsNone() {
    db.close();
    db = TestDatabase.open(directory.resolve("alone"));
    db.insert("{_id: 1}");
    assertThat(db.database().catalog().oplog()).isNull();
    assertThat(db.database().catalog().find(Oplog.NAMESPACE)).isNull();
    assertThat(db.find(FindRequest.of(Oplog.NAMESPACE, RawDocument.EMPTY))).isEmpty();
  }

  private void insertInto(Namespace namespace) {
    db.database()
        .insert(
            db.operation(),
            new InsertRequest(namespace, List.of(RawDocument.parse("{_id: 1}")), true, false));
  }

  private long forgotten = 0;

  private void forget() {
    forgotten = entries().size();
  }

  private List<BsonDocument> entries() {
    return db.find(FindRequest.of(Oplog.NAMESPACE, RawDocument.EMPTY)).stream()
        .map(RawDocument::toBsonDocument)
        .toList();
  }

  /** The entries of documents since the last call, without what all of them have. */
  private List<BsonDocument> written() {
    List<BsonDocument> all = entries();
    var written = new ArrayList<BsonDocument>();
    for (BsonDocument entry : all.subList((int) forgotten, all.size())) {
      if (!entry.getString("op").getValue().equals("c")) {
        assertThat(entry.get("ui")).isNotNull();
        for (String added : List.of("ui", "ts", "t", "v", "wall")) {
          entry.remove(added);
        }
        written.add(entry);
      }
    }
    return written;
  }

  @Test
  void writesOfMigrationsAreMarked() {
    var inserting = db.operation();
    OperationState.ofMigration(inserting);
    List<RawDocument> documents = List.of(RawDocument.parse("{_id: 1, a: 1}"));
    db.database().insert(inserting, new InsertRequest(NAMESPACE, documents, true, false));
    var deleting = db.operation();
    OperationState.ofMigration(deleting);
    var all = new DeleteStatement(RawDocument.EMPTY, true, null);
    db.database().delete(deleting, new DeleteRequest(NAMESPACE, List.of(all), true));
    assertWritten(
        "{op: 'i', ns: 'test.c', fromMigrate: true, o: {_id: 1, a: 1}, o2: {_id: 1}}",
        "{op: 'd', ns: 'test.c', fromMigrate: true, o: {_id: 1}}");
  }

  private void assertWritten(String... expected) {
    assertThat(written())
        .containsExactly(
            List.of(expected).stream().map(BsonDocument::parse).toArray(BsonDocument[]::new));
    assertThat(db.database().catalog().require(NAMESPACE)).isNotNull();
  }
}
