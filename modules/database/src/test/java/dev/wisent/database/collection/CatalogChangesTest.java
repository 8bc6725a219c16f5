package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.index.Index;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the catalog, each looked at again after a restart. */
class CatalogChangesTest {
  private static final Namespace OTHER = new Namespace("test", "other");

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    StoreContents.assertNothingUnknown(database);
    database.close();
  }

  private CatalogChanges changes() {
    return database.database().changes();
  }

  private Catalog catalog() {
    return database.database().catalog();
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private List<String> indexNames() {
    return database.collection().indexes().stream().map(Index::name).toList();
  }

  /** Now, and after a restart. */
  private void twice(Runnable check) {
    check.run();
    database.reopen();
    check.run();
  }

  @Test
  void aCollectionIsCreatedOnce() {
    database.create("{capped: true, size: 4096, max: 3}");
    UUID uuid = database.collection().definition().uuid();
    twice(
        () -> {
          assertThat(database.collection().definition().uuid()).isEqualTo(uuid);
          assertThat(database.collection().capped()).isEqualTo(new CappedLimits(4096, 3));
          assertThat(indexNames()).containsExactly("_id_");
          assertThat(catalog().databases()).containsExactly("test");
          assertFails(() -> database.create("{}"), ErrorCode.NAMESPACE_EXISTS);
        });
  }

  @Test
  void databasesMayNotDifferByCaseOnly() {
    database.create("{}");
    var upper = new Namespace("TEST", "c");
    assertFails(
        () -> changes().create(upper, RawDocument.EMPTY, database.operation()),
        ErrorCode.DATABASE_DIFFER_CASE);
    assertFails(
        () -> changes().rename(database.collection(), upper, null, database.operation()),
        ErrorCode.DATABASE_DIFFER_CASE);
    assertThat(database.collection().namespace()).isEqualTo(TestDatabase.NAMESPACE);
  }

  @Test
  void aDroppedCollectionLeavesNothing() {
    database.create("{}");
    database.createIndex("{a: 1}");
    database.insert("{_id: 1, a: [1, 2]}");
    changes().drop(database.collection(), database.operation());
    StoreContents.assertEmpty(database);
    twice(() -> assertThat(catalog().find(TestDatabase.NAMESPACE)).isNull());
  }

  @Test
  void aDroppedCollectionCanBeMadeAgain() {
    database.insert("{_id: 1}");
    Collection before = database.collection();
    changes().drop(before, database.operation());
    database.insert("{_id: 2}");
    // A caller that looked it up before the first drop drops nothing now.
    changes().drop(before, database.operation());
    twice(() -> assertThat(database.find("{}")).containsExactly("{\"_id\": 2}"));
  }

  /**
   * A definition that is written after the drop would bring the collection back at the next start.
   */
  @Test
  void aDroppedCollectionCannotBeChanged() {
    Collection dropped = database.create("{}");
    changes().drop(dropped, database.operation());
    RawDocument spec = TestDatabase.indexSpec(RawDocument.parse("{a: 1}"));
    assertFails(
        () -> changes().addIndexes(dropped, List.of(spec), database.operation()),
        ErrorCode.NAMESPACE_NOT_FOUND);
    assertFails(
        () -> changes().dropIndexes(dropped, definition -> List.of(), database.operation()),
        ErrorCode.NAMESPACE_NOT_FOUND);
    assertFails(
        () ->
            changes()
                .modify(
                    dropped,
                    definition -> definition.withOptions(RawDocument.EMPTY),
                    database.operation()),
        ErrorCode.NAMESPACE_NOT_FOUND);
    assertFails(
        () -> changes().rename(dropped, OTHER, null, database.operation()),
        ErrorCode.NAMESPACE_NOT_FOUND);
    twice(() -> assertThat(catalog().all()).isEmpty());
  }

  @Test
  void aCollectionKeepsAllButItsName() {
    database.create("{validator: {a: {$exists: true}}}");
    database.createIndex("{a: 1}", "unique");
    database.insert("{_id: 1, a: [1, 2]}");
    UUID uuid = database.collection().definition().uuid();
    changes().rename(database.collection(), OTHER, null, database.operation());
    twice(
        () -> {
          assertThat(catalog().find(TestDatabase.NAMESPACE)).isNull();
          Collection renamed = catalog().require(OTHER);
          assertThat(renamed.definition().uuid()).isEqualTo(uuid);
          assertThat(renamed.documents()).isEqualTo(1);
          assertThat(renamed.index("a_1").isMultikey()).isTrue();
          assertThat(database.find(FindRequest.of(OTHER, RawDocument.parse("{a: 2}")))).hasSize(1);
        });
    database.insert("{_id: 1, b: 1}");
  }

  @Test
  void aCollectionInTheWayGoesInTheSameStep() {
    database.insert("{_id: 1}");
    Collection replaced = changes().create(OTHER, RawDocument.EMPTY, database.operation());
    assertFails(
        () -> changes().rename(database.collection(), OTHER, null, database.operation()),
        ErrorCode.NAMESPACE_EXISTS);
    changes().rename(database.collection(), OTHER, replaced, database.operation());
    assertThat(replaced.isDropped()).isTrue();
    twice(
        () -> {
          assertThat(catalog().all()).hasSize(1);
          assertThat(catalog().require(OTHER).documents()).isEqualTo(1);
        });
  }

  @Test
  void indexesComeAndGo() {
    database.insert("{_id: 1, a: 1, b: 1}", "{_id: 2, a: 2}");
    database.createIndex("{a: 1}");
    database.createIndex("{b: -1, a: 1}", "sparse");
    twice(
        () -> {
          assertThat(indexNames()).containsExactly("_id_", "a_1", "b_-1_a_1");
          database.assertValid();
        });
    database.dropIndex("a_1");
    twice(
        () -> {
          assertThat(indexNames()).containsExactly("_id_", "b_-1_a_1");
          assertThat(database.find("{a: 2}")).hasSize(1);
          database.assertValid();
        });
  }

  @Test
  void anIndexThatIsThereIsNotMadeAgain() {
    database.create("{}");
    RawDocument spec = TestDatabase.indexSpec(RawDocument.parse("{a: 1}"));
    RawDocument other = TestDatabase.indexSpec(RawDocument.parse("{a: 1}"), "unique");
    changes().addIndexes(database.collection(), List.of(spec), database.operation());
    changes().addIndexes(database.collection(), List.of(spec), database.operation());
    assertFails(
        () -> changes().addIndexes(database.collection(), List.of(other), database.operation()),
        ErrorCode.INDEX_KEY_SPECS_CONFLICT);
    twice(() -> assertThat(indexNames()).containsExactly("_id_", "a_1"));
  }

  /** Of several indexes that are built together, none is there if one fails. */
  @Test
  void aFailedBuildLeavesNothing() {
    for (int id = 0; id < 2_000; id++) {
      database.insert("{_id: %d, a: [%d, %d], s: '%s'}".formatted(id, id, -id, "x".repeat(3_000)));
    }
    database.insert("{_id: 2000, a: 7}");
    List<RawDocument> specs =
        List.of(
            TestDatabase.indexSpec(RawDocument.parse("{s: 1}")),
            TestDatabase.indexSpec(RawDocument.parse("{a: 1}"), "unique"));
    assertThatThrownBy(
            () -> changes().addIndexes(database.collection(), specs, database.operation()))
        .hasMessage("E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 7 }");
    StoreContents.assertNothingUnknown(database);
    twice(
        () -> {
          assertThat(indexNames()).containsExactly("_id_");
          database.assertValid();
        });
    database.delete("{_id: 2000}", false);
    database.createIndex("{a: 1}", "unique");
    database.assertValid();
  }

  /** Neighbours in the batch that is being written do not see each other in storage. */
  @Test
  void duplicatesAreFoundWithinOneStepOfABuild() {
    database.insert("{_id: 1, a: 1}", "{_id: 2, a: 1.0}");
    assertFails(() -> database.createIndex("{a: 1}", "unique"), ErrorCode.DUPLICATE_KEY);
    database.insert("{_id: 3, a: 5, b: [1, 1]}", "{_id: 4, a: 6, b: 2}");
    database.createIndex("{b: 1}", "unique", "sparse");
    database.assertValid();
  }

  @Test
  void optionsCanBeChanged() {
    database.create("{capped: true, size: 100000}");
    changes()
        .modify(
            database.collection(),
            definition ->
                definition.withOptions(
                    RawDocument.parse("{capped: true, size: 100000, max: 2, validator: {a: 1}}")),
            database.operation());
    twice(
        () -> {
          assertThat(database.collection().capped().documentsMax()).isEqualTo(2);
          assertThat(database.tryInsert(true, "{a: 2}").failures()).hasSize(1);
        });
  }

  @Test
  void whatABuildLeftBehindIsRemovedAtTheStart() {
    database.insert("{_id: 1}");
    StoreContents.putLeftovers(database, 500);
    database.reopen();
    StoreContents.assertNothingUnknown(database);
    assertThat(database.find("{}")).hasSize(1);
    database.assertValid();
  }

  @Test
  void aTemporaryCollectionGoesAtTheStartUnlessItWasRenamed() {
    database.create("{temp: true, capped: true, size: 4096}");
    database.insert("{_id: 1}");
    database.reopen();
    assertThat(database.database().catalog().find(TestDatabase.NAMESPACE)).isNull();
    StoreContents.assertNothingUnknown(database);

    database.create("{temp: true, capped: true, size: 4096}");
    database.insert("{_id: 1}");
    var kept = new Namespace("test", "kept");
    database.database().changes().rename(database.collection(), kept, null, database.operation());
    database.reopen();
    Collection collection = database.database().catalog().find(kept);
    assertThat(collection.documents()).isEqualTo(1);
    assertThat(collection.definition().options())
        .isEqualTo(RawDocument.parse("{capped: true, size: 4096}"));
  }

  @Test
  void countersAndRecordIdsGoOnAfterARestart() {
    database.insert("{_id: 1}", "{_id: 2}", "{_id: 3}");
    database.delete("{_id: 2}", false);
    long bytes = database.collection().dataBytes();
    database.reopen();
    assertThat(database.collection().documents()).isEqualTo(2);
    assertThat(database.collection().dataBytes()).isEqualTo(bytes);
    database.insert("{_id: 4}");
    assertThat(recordId(4)).isGreaterThan(3);
  }

  private long recordId(int id) {
    Finds find = Finds.of("{_id: %d}".formatted(id)).showRecordId();
    return database.find(find.toRequest()).getFirst().get("$recordId").asInt64();
  }
}
