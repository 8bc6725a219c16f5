package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.StoreContents;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationProgress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A collection that is large enough for writers to go on while its indexes are built. */
final class BuildScene implements AutoCloseable {
  static final int DOCUMENTS = 1500;

  final TestDatabase database;

  /** What the listener of builds was told. */
  final List<String> told = new ArrayList<>();

  BuildScene(Path directory) {
    database = TestDatabase.open(directory);
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.parse("{_id: %d, a: %d, b: %d}".formatted(id, id, id % 7)));
    }
    assertThat(database.insert(true, documents).failures()).isEmpty();
  }

  @Override
  public void close() {
    for (Collection collection : database.database().catalog().all()) {
      assertThat(collection.builds()).isEmpty();
      assertThat(collection.watch().isWatched()).isFalse();
      database.assertValid();
    }
    StoreContents.assertNothingUnknown(database);
    database.assertNothingLeaks();
    database.close();
  }

  CatalogChanges changes() {
    return database.database().changes();
  }

  List<String> indexNames() {
    return database.collection().indexes().stream().map(Index::name).toList();
  }

  /** Does something while a build is under way, on the thread that builds: nothing may wait. */
  void meanwhile(Runnable task) {
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

  static CommandException failure(Runnable task) {
    CommandException failure = catchThrowableOfType(CommandException.class, task::run);
    assertThat(failure).isNotNull();
    return failure;
  }
}
