package dev.wisent.database.oplog;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the oplog says of changes to collections and indexes. */
class OplogOfDefinitionsTest {
  @TempDir Path directory;
  private TestDatabase db;
  private int seen;

  @BeforeEach
  void open() {
    db = TestDatabase.openWithOplog(directory);
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void creation() {
    db.create("{capped: true, size: 4096}");
    assertWritten(
        uuid(),
        "{op: 'c', ns: 'test.$cmd', o: {create: 'c', capped: true, size: 4096,"
            + " idIndex: {v: 2, key: {_id: 1}, name: '_id_'}}}");
  }

  @Test
  void creationOfAClusteredCollectionHasNoIndex() {
    db.create("{clusteredIndex: {v: 2, key: {_id: 1}, name: 'x', unique: true}}");
    assertWritten(
        uuid(),
        "{op: 'c', ns: 'test.$cmd', o: {create: 'c',"
            + " clusteredIndex: {v: 2, key: {_id: 1}, name: 'x', unique: true}}}");
  }

  @Test
  void creationByTheFirstInsertComesBeforeIt() {
    db.insert("{_id: 1}");
    assertWritten(
        uuid(),
        "{op: 'c', ns: 'test.$cmd',"
            + " o: {create: 'c', idIndex: {v: 2, key: {_id: 1}, name: '_id_'}}}",
        "{op: 'i', ns: 'test.c', o: {_id: 1}, o2: {_id: 1}}");
  }

  @Test
  void dropping() {
    db.insert("{_id: 1}", "{_id: 2}");
    skip();
    UUID uuid = uuid();
    db.database().changes().drop(db.collection(), db.operation());
    assertWritten(
        uuid, "{op: 'c', ns: 'test.$cmd', o: {drop: 'c'}, o2: {numRecords: {$numberLong: '2'}}}");
  }

  @Test
  void renaming() {
    db.create("{}");
    skip();
    Collection collection = db.collection();
    db.database().changes().rename(collection, new Namespace("other", "d"), null, db.operation());
    assertWritten(
        collection.definition().uuid(),
        "{op: 'c', ns: 'test.$cmd',"
            + " o: {renameCollection: 'test.c', to: 'other.d', stayTemp: false}}");
  }

  @Test
  void renamingOverAnotherNamesWhatGoes() {
    db.insert("{_id: 1}");
    Collection replaced = db.collection();
    Collection collection =
        db.database()
            .changes()
            .create(new Namespace("test", "b"), RawDocument.EMPTY, db.operation());
    skip();
    db.database().changes().rename(collection, NAMESPACE, replaced, db.operation());
    List<BsonDocument> written = written();
    assertThat(written).hasSize(1);
    BsonDocument command = written.getFirst().getDocument("o");
    assertThat(command.get("dropTarget")).isEqualTo(new BsonBinary(replaced.definition().uuid()));
    assertThat(written.getFirst().getDocument("o2"))
        .isEqualTo(BsonDocument.parse("{numRecords: {$numberLong: '1'}}"));
  }

  @Test
  void indexesComeAndGoOneByOne() {
    db.insert("{_id: 1, a: 1}");
    skip();
    db.database()
        .changes()
        .addIndexes(
            db.collection(),
            List.of(
                TestDatabase.indexSpec(RawDocument.parse("{a: 1}"), "unique"),
                TestDatabase.indexSpec(RawDocument.parse("{b: -1}"))),
            db.operation());
    db.dropIndex("a_1");
    assertWritten(
        uuid(),
        "{op: 'c', ns: 'test.$cmd',"
            + " o: {createIndexes: 'c', v: 2, key: {a: 1}, name: 'a_1', unique: true}}",
        "{op: 'c', ns: 'test.$cmd',"
            + " o: {createIndexes: 'c', v: 2, key: {b: -1}, name: 'b_-1'}}",
        "{op: 'c', ns: 'test.$cmd', o: {dropIndexes: 'c', index: 'a_1'},"
            + " o2: {v: 2, key: {a: 1}, name: 'a_1', unique: true}}");
  }

  @Test
  void anIndexThatFailsLeavesNoEntry() {
    db.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}");
    skip();
    assertThatThrownBy(() -> db.createIndex("{a: 1}", "unique"))
        .isInstanceOf(CommandException.class);
    assertThat(written()).isEmpty();
  }

  @Test
  void writingIndexesAnewIsNobodysBusiness() {
    db.insert("{_id: 1, a: 1}");
    db.createIndex("{a: 1}");
    skip();
    db.database().changes().reindex(db.collection(), db.operation());
    assertThat(written()).isEmpty();
  }

  @Test
  void changedOptionsAreNamedAsTheCommandDoes() {
    db.create("{capped: true, size: 4096, max: 3}");
    skip();
    modify(
        definition ->
            definition.withOptions(
                RawDocument.parse("{capped: true, size: 8192, max: 3, validator: {a: 1}}")));
    List<BsonDocument> written = written();
    assertThat(written).hasSize(1);
    assertThat(written.getFirst().getDocument("o"))
        .isEqualTo(BsonDocument.parse("{collMod: 'c', cappedSize: 8192, validator: {a: 1}}"));
    BsonDocument old = written.getFirst().getDocument("o2").getDocument("collectionOptions_old");
    assertThat(old.remove("uuid")).isEqualTo(new BsonBinary(uuid()));
    assertThat(old).isEqualTo(BsonDocument.parse("{capped: true, size: 4096, max: 3}"));
  }

  @Test
  void changedIndexesAreNamed() {
    db.create("{}");
    db.createIndex("{a: 1}");
    skip();
    changeIndex("{v: 2, key: {a: 1}, name: 'a_1', hidden: true}");
    changeIndex("{v: 2, key: {a: 1}, name: 'a_1'}");
    List<BsonDocument> written = written();
    assertThat(written).hasSize(2);
    assertThat(written.get(0).getDocument("o"))
        .isEqualTo(BsonDocument.parse("{collMod: 'c', index: {name: 'a_1', hidden: true}}"));
    assertThat(written.get(0).getDocument("o2").getDocument("indexOptions_old"))
        .isEqualTo(BsonDocument.parse("{hidden: false}"));
    assertThat(written.get(1).getDocument("o"))
        .isEqualTo(BsonDocument.parse("{collMod: 'c', index: {name: 'a_1', hidden: false}}"));
  }

  @Test
  void anIndexAndOptionsThatChangeTogetherAreOneCommand() {
    db.create("{}");
    db.createIndex("{a: 1}");
    skip();
    modify(
        definition -> {
          IndexDefinition before = definition.index("a_1").orElseThrow();
          RawDocument spec = RawDocument.parse("{v: 2, key: {a: 1}, name: 'a_1', hidden: true}");
          return definition
              .withIndex(before, new IndexDefinition(before.ident(), spec))
              .withOptions(RawDocument.parse("{validator: {a: 1}}"));
        });
    List<BsonDocument> written = written();
    assertThat(written).hasSize(1);
    assertThat(written.getFirst().getDocument("o"))
        .isEqualTo(
            BsonDocument.parse(
                "{collMod: 'c', index: {name: 'a_1', hidden: true}, validator: {a: 1}}"));
    BsonDocument old = written.getFirst().getDocument("o2");
    assertThat(old.getDocument("collectionOptions_old").keySet()).containsExactly("uuid");
    assertThat(old.getDocument("indexOptions_old"))
        .isEqualTo(BsonDocument.parse("{hidden: false}"));
  }

  @Test
  void notesAndDroppedDatabases() {
    db.database().oplogNotes().note(RawDocument.parse("{msg: 'hello'}"), db.operation());
    db.database().oplogNotes().databaseDropped("test", db.operation());
    assertThat(all())
        .containsExactly(
            BsonDocument.parse("{op: 'n', ns: '', o: {msg: 'hello'}}"),
            BsonDocument.parse("{op: 'c', ns: 'test.$cmd', o: {dropDatabase: 1}}"));
  }

  /** Of a change that several shards make one tells change streams. */
  @Test
  void changesThatAnotherShardTellsAreMarked() {
    var operation = db.operation();
    OperationState.ofMigration(operation);
    db.database().oplogNotes().databaseDropped("test", operation);
    assertThat(all())
        .containsExactly(
            BsonDocument.parse(
                "{op: 'c', ns: 'test.$cmd', fromMigrate: true, o: {dropDatabase: 1}}"));
    var namespace = new Namespace("test", "marked");
    Collection marked = db.database().changes().findOrCreate(namespace, operation);
    db.database().changes().drop(marked, operation);
    assertThat(all().stream().skip(1))
        .hasSize(2)
        .allSatisfy(entry -> assertThat(entry.getBoolean("fromMigrate").getValue()).isTrue());
  }

  @Test
  void collectionsOfLocalAreNotReplicated() {
    db.database()
        .changes()
        .create(new Namespace("local", "mine"), RawDocument.EMPTY, db.operation());
    assertThat(all()).isEmpty();
  }

  private void changeIndex(String spec) {
    modify(
        definition -> {
          IndexDefinition before = definition.index("a_1").orElseThrow();
          return definition.withIndex(
              before, new IndexDefinition(before.ident(), RawDocument.parse(spec)));
        });
  }

  private void modify(UnaryOperator<CollectionDefinition> change) {
    db.database().changes().modify(db.collection(), change, db.operation());
  }

  private UUID uuid() {
    return db.collection().definition().uuid();
  }

  private void skip() {
    seen = all().size();
  }

  /** All entries, without what the log adds. */
  private List<BsonDocument> all() {
    var entries = new ArrayList<BsonDocument>();
    for (RawDocument entry : db.find(FindRequest.of(Oplog.NAMESPACE, RawDocument.EMPTY))) {
      BsonDocument decoded = entry.toBsonDocument();
      List.of("ts", "t", "v", "wall").forEach(decoded::remove);
      entries.add(decoded);
    }
    return entries;
  }

  private List<BsonDocument> written() {
    List<BsonDocument> all = all();
    return all.subList(seen, all.size());
  }

  private void assertWritten(UUID uuid, String... expected) {
    List<BsonDocument> written = written();
    written.forEach(entry -> assertThat(entry.remove("ui")).isEqualTo(new BsonBinary(uuid)));
    assertThat(written)
        .containsExactly(
            List.of(expected).stream().map(BsonDocument::parse).toArray(BsonDocument[]::new));
  }
}
