package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.OperationProgress;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.check.ValidationReport;
import dev.wisent.database.collection.CatalogChanges.IndexCounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds of indexes on a collection that is large enough for writers to go on. What happens
 * meanwhile is done where the build tells that it has begun: after its snapshot was taken.
 */
class IndexBuildTest {
  private static final int DOCUMENTS = 1500;

  private TestDatabase database;
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.parse("{_id: %d, a: %d, b: %d}".formatted(id, id, id % 7)));
    }
    assertThat(database.insert(true, documents).failures()).isEmpty();
  }

  @AfterEach
  void close() {
    for (Collection collection : database.database().catalog().all()) {
      assertThat(collection.builds()).isEmpty();
      assertThat(collection.watch().isWatched()).isFalse();
      database.assertValid();
    }
    StoreContents.assertNothingUnknown(database);
    database.assertNothingLeaks();
    database.close();
  }

  private CatalogChanges changes() {
    return database.database().changes();
  }

  private List<String> indexNames() {
    return database.collection().indexes().stream().map(Index::name).toList();
  }

  /** Does something while a build is under way, on the thread that builds: nothing may wait. */
  private void meanwhile(Runnable task) {
    changes()
        .indexBuildListener(
            new IndexBuildListener() {
              @Override
              public void started(Namespace namespace, List<IndexDefinition> indexes) {
                told.add("started");
                task.run();
              }

              @Override
              public void progress(Namespace namespace, OperationProgress progress) {}

              @Override
              public void done(Namespace namespace, List<IndexDefinition> indexes, long millis) {
                told.add("done");
              }

              @Override
              public void failed(
                  Namespace namespace, List<IndexDefinition> indexes, Throwable why) {
                told.add("failed");
              }
            });
  }

  private CommandException failure(Runnable task) {
    CommandException failure = catchThrowableOfType(CommandException.class, task::run);
    assertThat(failure).isNotNull();
    return failure;
  }

  @Test
  void writesGoOnAndAreInTheIndex() {
    meanwhile(
        () -> {
          database.insert("{_id: 5000, a: 5000}", "{_id: 5001, a: [1, 2, 3]}", "{_id: 5002}");
          database.updateMany("{b: 3}", "{$inc: {a: 10000}}");
          database.update("{_id: 12}", "{$set: {a: 12.0}}");
          database.update("{_id: 13}", "{$set: {a: 'x'}}");
          database.update("{_id: 5000}", "{$set: {a: 5005}}");
          database.delete("{b: 4}", true);
          database.delete("{_id: 5002}", false);
          assertThat(indexNames()).containsExactly("_id_");
          assertThat(database.find("{a: 5005}")).hasSize(1);
        });
    database.createIndex("{a: 1}");
    assertThat(told).containsExactly("started", "done");
    assertThat(indexNames()).containsExactly("_id_", "a_1");
    assertThat(database.collection().index("a_1").isMultikey()).isTrue();
    assertThat(database.find("{a: 5005}")).hasSize(1);
    assertThat(database.find("{a: 2}")).hasSize(2);
    assertThat(database.count("{a: {$gte: 10000}}")).isEqualTo(database.count("{b: 3}"));
    database.assertValid();
    database.reopen();
    assertThat(database.collection().index("a_1").isMultikey()).isTrue();
    database.assertValid();
  }

  /** The array is gone before the end, but readers of an older snapshot may meet it. */
  @Test
  void severalIndexesAreBuiltTogether() {
    database.insert("{_id: 5000, a: [1, [2]], c: 'x'}");
    meanwhile(() -> database.delete("{_id: 5000}", false));
    List<RawDocument> specs = new ArrayList<>();
    for (String key : List.of("{a: 1}", "{b: -1, a: 1}", "{c: 1}")) {
      specs.add(TestDatabase.indexSpec(RawDocument.parse(key)));
    }
    specs.add(TestDatabase.indexSpec(RawDocument.parse("{d: 1}"), "unique", "sparse"));
    assertThat(changes().addIndexes(database.collection(), specs, database.operation()))
        .isEqualTo(new IndexCounts(1, 5));
    assertThat(changes().addIndexes(database.collection(), specs, database.operation()))
        .isEqualTo(new IndexCounts(5, 5));
    assertThat(indexNames()).containsExactly("_id_", "a_1", "b_-1_a_1", "c_1", "d_1");
  }

  @Test
  void aDuplicateThatRemainsFailsTheBuild() {
    database.insert("{_id: 5000, a: 7}");
    meanwhile(() -> database.insert("{_id: 5001, a: 8}"));
    assertThatThrownBy(() -> database.createIndex("{a: 1}", "unique"))
        .hasMessage("E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 7 }");
    assertThat(told).containsExactly("started", "failed");
    assertThat(indexNames()).containsExactly("_id_");
    database.delete("{_id: 5000}", false);
    meanwhile(() -> {});
    assertThatThrownBy(() -> database.createIndex("{a: 1}", "unique"))
        .hasMessage("E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 8 }");
    StoreContents.assertNothingUnknown(database);
    database.delete("{_id: 5001}", false);
    database.createIndex("{a: 1}", "unique");
  }

  /** A write is not refused because of an index that is not there yet: the build is. */
  @Test
  void aDuplicateThatIsWrittenMeanwhileFailsTheBuild() {
    meanwhile(
        () -> {
          database.insert("{_id: 5000, a: 5000}");
          database.update("{_id: 5000}", "{$set: {a: 3}}");
        });
    assertThat(failure(() -> database.createIndex("{a: 1}", "unique")).code())
        .isEqualTo(ErrorCode.DUPLICATE_KEY);
    assertThat(database.find("{a: 3}")).hasSize(2);
  }

  @Test
  void duplicatesThatAreGoneInTheEndDoNoHarm() {
    database.insert("{_id: 5000, a: 7}", "{_id: 5001, a: 7}", "{_id: 5002, a: 8}");
    database.insert("{_id: 5003, a: [9, 9.0, 10]}", "{_id: 5004, a: 7.0}");
    meanwhile(
        () -> {
          // Of 7, whoever was first goes, and others; of 8, the second.
          database.delete("{_id: 7}", false);
          database.delete("{_id: 5000}", false);
          database.update("{_id: 5001}", "{$set: {a: 5001}}");
          database.delete("{_id: 5002}", false);
          database.update("{_id: 5003}", "{$set: {a: [5003, 5004]}}");
          // Two change places, and three in a circle.
          database.update("{_id: 20}", "{$set: {a: 21}}");
          database.update("{_id: 21}", "{$set: {a: 20}}");
          database.update("{_id: 30}", "{$set: {a: 31}}");
          database.update("{_id: 31}", "{$set: {a: 32}}");
          database.update("{_id: 32}", "{$set: {a: 30}}");
        });
    database.createIndex("{a: 1}", "unique");
    database.assertValid();
    assertThat(database.find("{a: 7}")).hasSize(1);
    assertThat(database.tryInsert(true, "{_id: 6000, a: 5004}").failures()).hasSize(1);
    assertThat(database.tryInsert(true, "{_id: 6000, a: 8}").failures()).hasSize(1);
    database.insert("{_id: 6000, a: 6000}");
  }

  @Test
  void documentsThatCannotBeIndexedFailTheBuildOnlyIfTheyRemain() {
    database.insert("{_id: 5000, a: [1], b: [1]}", "{_id: 5001, a: [1], b: [1]}");
    meanwhile(
        () -> {
          database.delete("{_id: 5000}", false);
          database.update("{_id: 5001}", "{$set: {b: 1}}");
        });
    database.createIndex("{a: 1, b: 1}");
    database.dropIndex("a_1_b_1");
    meanwhile(() -> database.insert("{_id: 5002, a: [1], b: [1]}"));
    assertThat(failure(() -> database.createIndex("{a: 1, b: 1}")).code())
        .isEqualTo(ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS);
    assertThat(indexNames()).containsExactly("_id_");
  }

  /** Begins something that waits for the build, and returns when it does. */
  private Thread whoWaits(Runnable task) {
    Thread thread = Thread.ofPlatform().daemon().start(task);
    Workers.await("the other thread waits", () -> Workers.isWaiting(thread));
    return thread;
  }

  private static void join(Thread thread) {
    Workers.await("the other thread ends", () -> !thread.isAlive());
  }

  @Test
  void aDropEndsTheBuild() {
    var other = new AtomicReference<Thread>();
    meanwhile(
        () ->
            other.set(whoWaits(() -> changes().drop(database.collection(), database.operation()))));
    CommandException failure = failure(() -> database.createIndex("{a: 1}"));
    assertThat(failure.code()).isEqualTo(ErrorCode.INDEX_BUILD_ABORTED);
    assertThat(failure).hasMessageEndingWith("caused by :: collection dropped");
    join(other.get());
    assertThat(database.database().catalog().all()).isEmpty();
    StoreContents.assertEmpty(database);
  }

  @Test
  void droppingIndexesEndsTheirBuild() {
    var other = new AtomicReference<Thread>();
    database.createIndex("{b: 1}");
    List<RawDocument> specs =
        List.of(
            TestDatabase.indexSpec(RawDocument.parse("{a: 1}")),
            TestDatabase.indexSpec(RawDocument.parse("{c: 1}")));
    meanwhile(
        () -> {
          assertThat(failure(() -> drop("a_1")).code())
              .isEqualTo(ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE);
          other.set(whoWaits(() -> assertThat(drop("a_1", "b_1", "c_1")).isEqualTo(4)));
        });
    assertThat(
            failure(() -> changes().addIndexes(database.collection(), specs, database.operation()))
                .code())
        .isEqualTo(ErrorCode.INDEX_BUILD_ABORTED);
    join(other.get());
    assertThat(indexNames()).containsExactly("_id_");
  }

  /** Drops indexes as the command does, which finds them by name. */
  private int drop(String... names) {
    return changes()
        .dropIndexes(
            database.collection(),
            definition ->
                Stream.of(names).map(name -> definition.index(name).orElseThrow()).toList(),
            database.operation());
  }

  @Test
  void oneIndexCanBeDroppedWhileAnotherIsBuilt() {
    database.createIndex("{b: 1}");
    meanwhile(() -> assertThat(drop("b_1")).isEqualTo(2));
    database.createIndex("{a: 1}");
    assertThat(indexNames()).containsExactly("_id_", "a_1");
  }

  @Test
  void aSecondBuildOfTheSameIndexWaitsForTheFirst() {
    var other = new AtomicReference<Thread>();
    var counts = new AtomicReference<IndexCounts>();
    List<RawDocument> specs = List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}")));
    meanwhile(
        () ->
            other.set(
                whoWaits(
                    () ->
                        counts.set(
                            changes()
                                .addIndexes(database.collection(), specs, database.operation())))));
    database.createIndex("{a: 1}");
    join(other.get());
    assertThat(counts.get()).isEqualTo(new IndexCounts(2, 2));
    assertThat(told).containsExactly("started", "done");
    assertThat(indexNames()).containsExactly("_id_", "a_1");
  }

  @Test
  void otherIndexesMayBeBuiltAndDroppedMeanwhile() {
    database.createIndex("{b: 1}");
    meanwhile(
        () -> {
          if (told.size() == 1) {
            database.dropIndex("b_1");
            database.createIndex("{b: 1, a: 1}");
            changes()
                .modify(
                    database.collection(),
                    definition ->
                        definition.withOptions(
                            RawDocument.parse("{validator: {a: {$exists: true}}}")),
                    database.operation());
          }
          database.insert("{_id: %d, a: 1}".formatted(5000 + told.size()));
        });
    database.createIndex("{a: 1}");
    assertThat(told).containsExactly("started", "started", "done", "done");
    assertThat(indexNames()).containsExactly("_id_", "b_1_a_1", "a_1");
    assertThat(database.tryInsert(true, "{_id: 1}").failures()).hasSize(1);
    database.reopen();
    assertThat(indexNames()).containsExactly("_id_", "b_1_a_1", "a_1");
  }

  @Test
  void aRenameIsRefusedMeanwhile() {
    var target = new Namespace("test", "other");
    meanwhile(
        () -> {
          Collection other = changes().create(target, RawDocument.EMPTY, database.operation());
          for (Runnable rename :
              List.<Runnable>of(
                  () ->
                      changes()
                          .rename(
                              database.collection(),
                              new Namespace("test", "free"),
                              null,
                              database.operation()),
                  () ->
                      changes()
                          .rename(
                              other,
                              TestDatabase.NAMESPACE,
                              database.collection(),
                              database.operation()))) {
            CommandException failure = failure(rename);
            assertThat(failure.code())
                .isEqualTo(ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE);
            assertThat(failure)
                .hasMessage(
                    "cannot perform operation: an index build is currently running for collection"
                        + " with UUID: "
                        + database.collection().definition().uuid());
          }
          changes().drop(other, database.operation());
        });
    database.createIndex("{a: 1}");
    assertThat(told).containsExactly("started", "done");
  }

  @Test
  void indexesAreCountedWithThoseThatAreBeingBuilt() {
    var most = new ArrayList<RawDocument>();
    for (int i = 0; i < 62; i++) {
      most.add(TestDatabase.indexSpec(RawDocument.parse("{f%d: 1}".formatted(i))));
    }
    meanwhile(
        () -> {
          if (told.size() == 1) {
            database.createIndex("{b: 1}");
            assertThat(failure(() -> database.createIndex("{c: 1}")).code())
                .isEqualTo(ErrorCode.CANNOT_CREATE_INDEX);
          }
        });
    changes().addIndexes(database.collection(), most, database.operation());
    assertThat(indexNames()).hasSize(64);
  }

  @Test
  void allIndexesAreWrittenAnew() {
    database.createIndex("{a: 1}", "unique");
    database.createIndex("{b: 1}");
    database.update("{_id: 3}", "{$set: {b: [1, 2]}}");
    changes().reindex(database.collection(), database.operation());
    assertThat(indexNames()).containsExactly("_id_", "a_1", "b_1");
    assertThat(database.find("{a: 5}")).hasSize(1);
    assertThat(database.tryInsert(true, "{_id: 5000, a: 5}").failures()).hasSize(1);
    meanwhile(
        () ->
            assertThat(
                    failure(() -> changes().reindex(database.collection(), database.operation()))
                        .code())
                .isEqualTo(ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE));
    database.createIndex("{c: 1}");
  }

  @Test
  void runningBuildsAreListed() {
    meanwhile(
        () ->
            assertThat(database.collection().buildingIndexes())
                .singleElement()
                .satisfies(index -> assertThat(index.definition().name()).isEqualTo("a_1"))
                .satisfies(index -> assertThat(index.build()).isNotNull()));
    database.createIndex("{a: 1}");
    assertThat(told).containsExactly("started", "done");
    assertThat(database.collection().buildingIndexes()).isEmpty();
  }

  @Test
  void itCanBeInterrupted() {
    OperationContext operation = database.operation();
    meanwhile(() -> operation.kill(ErrorCode.INTERRUPTED));
    List<RawDocument> specs = List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}")));
    assertThat(failure(() -> changes().addIndexes(database.collection(), specs, operation)).code())
        .isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(operation.progress()).isNull();
    assertThat(indexNames()).containsExactly("_id_");
  }

  @Test
  void progressCanBeSeen() {
    OperationContext operation = database.operation();
    var progress = new OperationProgress("Index Build: scanning collection", 5000);
    for (int i = 0; i < 1234; i++) {
      progress.advance();
    }
    assertThat(progress.message())
        .isEqualTo(
            "Index Build: scanning collection Index Build: scanning collection: 1234/5000 24%");
    assertThat(operation.progress()).isNull();
    operation.progress(progress);
    assertThat(operation.progress().done()).isEqualTo(1234);
    assertThat(new OperationProgress("nothing", 0).percent()).isEqualTo(100);
  }

  /** What the scan and the writers bring is more than one batch, one file and one round. */
  @Test
  void manyWritersWhileIndexesAreBuilt() {
    var stop = new AtomicBoolean();
    Workers.run(
        5,
        thread -> {
          if (thread == 0) {
            for (int round = 0; round < 3; round++) {
              buildAll(round);
            }
            stop.set(true);
            return;
          }
          for (int i = 0; !stop.get(); i++) {
            int id = (i * 31 + thread * 7) % (2 * DOCUMENTS);
            switch (i % 5) {
              case 0 -> database.delete("{_id: %d}".formatted(id), false);
              case 1 ->
                  database.update("{_id: %d}".formatted(id), "{$set: {a: [%d, 'y']}}".formatted(i));
              case 2 -> database.updateMany("{b: %d}".formatted(i % 7), "{$inc: {c: 1}}");
              case 3 -> database.upsert("{_id: %d}".formatted(id), "{$set: {a: %d}}".formatted(i));
              default ->
                  database.tryInsert(
                      true, "{_id: %d, a: %d, b: %d, u: %d}".formatted(id, i, i % 7, id));
            }
          }
        });
  }

  private void buildAll(int round) {
    List<RawDocument> specs = new ArrayList<>();
    specs.add(TestDatabase.indexSpec(RawDocument.parse("{a: 1}")));
    specs.add(TestDatabase.indexSpec(RawDocument.parse("{c: -1, b: 1}")));
    specs.add(TestDatabase.indexSpec(RawDocument.parse("{u: 1}"), "unique", "sparse"));
    changes().addIndexes(database.collection(), specs, database.operation());
    ValidationReport report = database.validate();
    assertThat(report.isValid()).as("%s", report).isTrue();
    if (round < 2) {
      specs.forEach(spec -> database.dropIndex(spec.get("name").asString()));
    }
  }
}
