package dev.wisent.database.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.Mutation;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that change while they are read. */
class StoredTablesTest {
  private static final String VERSION =
      "{uuid: {$uuid: '3b241101-e2bb-4255-8caf-4136c566a962'}, timestamp: {$timestamp: {t: 1, i:"
          + " 1}}, lastMod: 1}";

  /** A log that applies at once, and says so when the test lets it. */
  private static final class LateLog implements CommitLog {
    private final CommitLog below;
    private final CountDownLatch applied = new CountDownLatch(2);
    private final CompletableFuture<Void> told = new CompletableFuture<>();
    private volatile boolean late;

    LateLog(CommitLog below) {
      this.below = below;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      CommitFuture commit = below.submit(mutation);
      if (late) {
        commit.awaitApplied();
        applied.countDown();
        told.join();
      }
      return commit;
    }

    @Override
    public void sync() {
      below.sync();
    }

    @Override
    public void close() {
      below.close();
    }
  }

  private static void insert(TestDatabase test, Namespace namespace, String document) {
    var request = new InsertRequest(namespace, List.of(RawDocument.parse(document)), true, false);
    assertThat(test.database().insert(test.operation(), request).failures()).isEmpty();
  }

  @Test
  void afterAReadOfAStateLaterRequestsFindItsTables(@TempDir Path directory) throws Exception {
    LateLog[] log = {null};
    try (TestDatabase test = TestDatabase.open(directory, below -> log[0] = new LateLog(below))) {
      Ownership ownership = test.database().ownership();
      insert(test, Ownership.DATABASES, "{_id: 'a', version: " + VERSION + "}");
      insert(test, Ownership.GENERATION, "{_id: 'other'}");
      assertThat(ownership.tables().databases()).containsOnlyKeys("a");

      log[0].late = true;
      CompletableFuture<Void> database =
          CompletableFuture.runAsync(
              () -> insert(test, Ownership.DATABASES, "{_id: 'b', version: " + VERSION + "}"),
              Thread::startVirtualThread);
      CompletableFuture<Void> generation =
          CompletableFuture.runAsync(
              () ->
                  insert(
                      test,
                      Ownership.GENERATION,
                      "{_id: 'generation', "
                          + Ownership.GENERATION_NUMBER
                          + ": {$numberLong: '1'}}"),
              Thread::startVirtualThread);
      log[0].applied.await();
      try (FixedView view = test.engine().snapshot()) {
        assertThat(ownership.tables(view).databases()).containsOnlyKeys("a", "b");
        assertThat(ownership.tables().databases())
            .as("a router that was told of the first tables comes again")
            .containsOnlyKeys("a", "b");
      } finally {
        log[0].told.complete(null);
      }
      database.join();
      generation.join();
    }
  }
}
