package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.collection.CatalogChanges.IndexCounts;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.operation.diagnostic.ValidationReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds of indexes on a collection that is large enough for writers to go on. What happens
 * meanwhile is done where the build tells that it has begun: after its snapshot was taken.
 */
class IndexBuildTest {
  private static final int DOCUMENTS = BuildScene.DOCUMENTS;

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

  @Test
  void writesGoOnAndAreInTheIndex() {
    scene.meanwhile(
        () -> {
          database.insert("{_id: 5000, a: 5000}", "{_id: 5001, a: [1, 2, 3]}", "{_id: 5002}");
          database.updateMany("{b: 3}", "{$inc: {a: 10000}}");
          database.update("{_id: 12}", "{$set: {a: 12.0}}");
          database.update("{_id: 13}", "{$set: {a: 'x'}}");
          database.update("{_id: 5000}", "{$set: {a: 5005}}");
          database.delete("{b: 4}", true);
          database.delete("{_id: 5002}", false);
          assertThat(scene.indexNames()).containsExactly("_id_");
          assertThat(database.find("{a: 5005}")).hasSize(1);
        });
    database.createIndex("{a: 1}");
    assertThat(scene.told).containsExactly("started", "done");
    assertThat(scene.indexNames()).containsExactly("_id_", "a_1");
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
    scene.meanwhile(() -> database.delete("{_id: 5000}", false));
    List<RawDocument> specs = new ArrayList<>();
    for (String key : List.of("{a: 1}", "{b: -1, a: 1}", "{c: 1}")) {
      specs.add(TestDatabase.indexSpec(RawDocument.parse(key)));
    }
    specs.add(TestDatabase.indexSpec(RawDocument.parse("{d: 1}"), "unique", "sparse"));
    assertThat(scene.changes().addIndexes(database.collection(), specs, database.operation()))
        .isEqualTo(new IndexCounts(1, 5));
    assertThat(scene.changes().addIndexes(database.collection(), specs, database.operation()))
        .isEqualTo(new IndexCounts(5, 5));
    assertThat(scene.indexNames()).containsExactly("_id_", "a_1", "b_-1_a_1", "c_1", "d_1");
  }

  @Test
  void aDuplicateThatRemainsFailsTheBuild() {
    database.insert("{_id: 5000, a: 7}");
    scene.meanwhile(() -> database.insert("{_id: 5001, a: 8}"));
    assertThatThrownBy(() -> database.createIndex("{a: 1}", "unique"))
        .hasMessage("E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 7 }");
    assertThat(scene.told).containsExactly("started", "failed");
    assertThat(scene.indexNames()).containsExactly("_id_");
    database.delete("{_id: 5000}", false);
    scene.meanwhile(() -> {});
    assertThatThrownBy(() -> database.createIndex("{a: 1}", "unique"))
        .hasMessage("E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 8 }");
    StoreContents.assertNothingUnknown(database);
    database.delete("{_id: 5001}", false);
    database.createIndex("{a: 1}", "unique");
  }

  /** A write is not refused because of an index that is not there yet: the build is. */
  @Test
  void aDuplicateThatIsWrittenMeanwhileFailsTheBuild() {
    scene.meanwhile(
        () -> {
          database.insert("{_id: 5000, a: 5000}");
          database.update("{_id: 5000}", "{$set: {a: 3}}");
        });
    assertThat(BuildScene.failure(() -> database.createIndex("{a: 1}", "unique")).code())
        .isEqualTo(ErrorCode.DUPLICATE_KEY);
    assertThat(database.find("{a: 3}")).hasSize(2);
  }

  @Test
  void duplicatesThatAreGoneInTheEndDoNoHarm() {
    database.insert("{_id: 5000, a: 7}", "{_id: 5001, a: 7}", "{_id: 5002, a: 8}");
    database.insert("{_id: 5003, a: [9, 9.0, 10]}", "{_id: 5004, a: 7.0}");
    scene.meanwhile(
        () -> {
          // Of 7, the first goes, and others; of 8, the second.
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
    scene.meanwhile(
        () -> {
          database.delete("{_id: 5000}", false);
          database.update("{_id: 5001}", "{$set: {b: 1}}");
        });
    database.createIndex("{a: 1, b: 1}");
    database.dropIndex("a_1_b_1");
    scene.meanwhile(() -> database.insert("{_id: 5002, a: [1], b: [1]}"));
    assertThat(BuildScene.failure(() -> database.createIndex("{a: 1, b: 1}")).code())
        .isEqualTo(ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS);
    assertThat(scene.indexNames()).containsExactly("_id_");
  }

  @Test
  void itCanBeInterrupted() {
    OperationContext operation = database.operation();
    scene.meanwhile(() -> operation.kill(ErrorCode.INTERRUPTED));
    List<RawDocument> specs = List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}")));
    assertThat(
            BuildScene.failure(
                    () -> scene.changes().addIndexes(database.collection(), specs, operation))
                .code())
        .isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(operation.progress()).isNull();
    assertThat(scene.indexNames()).containsExactly("_id_");
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
    scene.changes().addIndexes(database.collection(), specs, database.operation());
    ValidationReport report = database.validate();
    assertThat(report.isValid()).as("%s", report).isTrue();
    if (round < 2) {
      specs.forEach(spec -> database.dropIndex(spec.get("name").asString()));
    }
  }
}
