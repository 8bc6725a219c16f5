package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.collection.CatalogChanges.IndexCounts;
import dev.wisent.operation.Namespace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other changes of the catalog while an index is built: who waits, who ends the build, who goes on.
 */
class ChangesDuringBuildTest {
  private BuildScene scene;
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    scene = new BuildScene(directory);
    database = scene.database;
  }

  @AfterEach
  void close() {
    scene.close();
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
    scene.meanwhile(
        () ->
            other.set(
                whoWaits(() -> scene.changes().drop(database.collection(), database.operation()))));
    CommandException failure = BuildScene.failure(() -> database.createIndex("{a: 1}"));
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
    scene.meanwhile(
        () -> {
          assertThat(BuildScene.failure(() -> drop("a_1")).code())
              .isEqualTo(ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE);
          other.set(whoWaits(() -> assertThat(drop("a_1", "b_1", "c_1")).isEqualTo(4)));
        });
    assertThat(
            BuildScene.failure(
                    () ->
                        scene
                            .changes()
                            .addIndexes(database.collection(), specs, database.operation()))
                .code())
        .isEqualTo(ErrorCode.INDEX_BUILD_ABORTED);
    join(other.get());
    assertThat(scene.indexNames()).containsExactly("_id_");
  }

  /** Drops indexes as the command does, which finds them by name. */
  private int drop(String... names) {
    return scene
        .changes()
        .dropIndexes(
            database.collection(),
            definition ->
                Stream.of(names).map(name -> definition.index(name).orElseThrow()).toList(),
            database.operation());
  }

  @Test
  void oneIndexCanBeDroppedWhileAnotherIsBuilt() {
    database.createIndex("{b: 1}");
    scene.meanwhile(() -> assertThat(drop("b_1")).isEqualTo(2));
    database.createIndex("{a: 1}");
    assertThat(scene.indexNames()).containsExactly("_id_", "a_1");
  }

  @Test
  void aSecondBuildOfTheSameIndexWaitsForTheFirst() {
    var other = new AtomicReference<Thread>();
    var counts = new AtomicReference<IndexCounts>();
    List<RawDocument> specs = List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}")));
    scene.meanwhile(
        () ->
            other.set(
                whoWaits(
                    () ->
                        counts.set(
                            scene
                                .changes()
                                .addIndexes(database.collection(), specs, database.operation())))));
    database.createIndex("{a: 1}");
    join(other.get());
    assertThat(counts.get()).isEqualTo(new IndexCounts(2, 2));
    assertThat(scene.told).containsExactly("started", "done");
    assertThat(scene.indexNames()).containsExactly("_id_", "a_1");
  }

  @Test
  void otherIndexesMayBeBuiltAndDroppedMeanwhile() {
    database.createIndex("{b: 1}");
    scene.meanwhile(
        () -> {
          if (scene.told.size() == 1) {
            database.dropIndex("b_1");
            database.createIndex("{b: 1, a: 1}");
            scene
                .changes()
                .modify(
                    database.collection(),
                    definition ->
                        definition.withOptions(
                            RawDocument.parse("{validator: {a: {$exists: true}}}")),
                    database.operation());
          }
          database.insert("{_id: %d, a: 1}".formatted(5000 + scene.told.size()));
        });
    database.createIndex("{a: 1}");
    assertThat(scene.told).containsExactly("started", "started", "done", "done");
    assertThat(scene.indexNames()).containsExactly("_id_", "b_1_a_1", "a_1");
    assertThat(database.tryInsert(true, "{_id: 1}").failures()).hasSize(1);
    database.reopen();
    assertThat(scene.indexNames()).containsExactly("_id_", "b_1_a_1", "a_1");
  }

  @Test
  void aRenameIsRefusedMeanwhile() {
    var target = new Namespace("test", "other");
    scene.meanwhile(
        () -> {
          Collection other =
              scene.changes().create(target, RawDocument.EMPTY, database.operation());
          for (Runnable rename :
              List.<Runnable>of(
                  () ->
                      scene
                          .changes()
                          .rename(
                              database.collection(),
                              new Namespace("test", "free"),
                              null,
                              database.operation()),
                  () ->
                      scene
                          .changes()
                          .rename(
                              other,
                              TestDatabase.NAMESPACE,
                              database.collection(),
                              database.operation()))) {
            CommandException failure = BuildScene.failure(rename);
            assertThat(failure.code())
                .isEqualTo(ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE);
            assertThat(failure)
                .hasMessage(
                    "cannot perform operation: an index build is currently running for collection"
                        + " with UUID: "
                        + database.collection().definition().uuid());
          }
          scene.changes().drop(other, database.operation());
        });
    database.createIndex("{a: 1}");
    assertThat(scene.told).containsExactly("started", "done");
  }

  @Test
  void indexesAreCountedWithThoseThatAreBeingBuilt() {
    var most = new ArrayList<RawDocument>();
    for (int i = 0; i < 62; i++) {
      most.add(TestDatabase.indexSpec(RawDocument.parse("{f%d: 1}".formatted(i))));
    }
    scene.meanwhile(
        () -> {
          if (scene.told.size() == 1) {
            database.createIndex("{b: 1}");
            assertThat(BuildScene.failure(() -> database.createIndex("{c: 1}")).code())
                .isEqualTo(ErrorCode.CANNOT_CREATE_INDEX);
          }
        });
    scene.changes().addIndexes(database.collection(), most, database.operation());
    assertThat(scene.indexNames()).hasSize(64);
  }

  @Test
  void allIndexesAreWrittenAnew() {
    database.createIndex("{a: 1}", "unique");
    database.createIndex("{b: 1}");
    database.update("{_id: 3}", "{$set: {b: [1, 2]}}");
    scene.changes().reindex(database.collection(), database.operation());
    assertThat(scene.indexNames()).containsExactly("_id_", "a_1", "b_1");
    assertThat(database.find("{a: 5}")).hasSize(1);
    assertThat(database.tryInsert(true, "{_id: 5000, a: 5}").failures()).hasSize(1);
    scene.meanwhile(
        () ->
            assertThat(
                    BuildScene.failure(
                            () ->
                                scene
                                    .changes()
                                    .reindex(database.collection(), database.operation()))
                        .code())
                .isEqualTo(ErrorCode.BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE));
    database.createIndex("{c: 1}");
  }

  @Test
  void runningBuildsAreListed() {
    scene.meanwhile(
        () ->
            assertThat(database.collection().buildingIndexes())
                .singleElement()
                .satisfies(index -> assertThat(index.definition().name()).isEqualTo("a_1"))
                .satisfies(index -> assertThat(index.build()).isNotNull()));
    database.createIndex("{a: 1}");
    assertThat(scene.told).containsExactly("started", "done");
    assertThat(database.collection().buildingIndexes()).isEmpty();
  }
}
