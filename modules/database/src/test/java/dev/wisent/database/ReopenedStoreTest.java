package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.Snapshot;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is opened again inside the process, as after a full disk, has what it had. */
class ReopenedStoreTest {
  private static final int TIMEOUT_MILLIS = 60_000;

  private StorageEngine engine;
  private LocalCommitLog log;
  private LocalDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    engine = StorageEngine.open(StorageOptions.defaults(directory).withCacheBytes(8 << 20));
    log = LocalCommitLog.start(engine, BackgroundLoops.silent());
    database = LocalDatabase.open(engine, log, Clock.system(), RandomSource.system());
    insert("{_id: 1, a: 1}");
    database
        .changes()
        .addIndexes(
            collection(),
            List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}"), "unique")),
            operation());
  }

  @AfterEach
  void close() {
    log.close();
    engine.close();
  }

  private void reopen() {
    database
        .leadership()
        .reopenContents(
            () -> {
              engine.reopenAfterFailure();
              log.resume();
            },
            TIMEOUT_MILLIS);
  }

  private static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  private Collection collection() {
    return database.catalog().require(TestDatabase.NAMESPACE);
  }

  private void insert(String document) {
    var request =
        new InsertRequest(
            TestDatabase.NAMESPACE, List.of(RawDocument.parse(document)), true, false);
    assertThat(database.insert(operation(), request).failures()).isEmpty();
  }

  @Test
  void whatWasWrittenIsThereAndWritesGoOn() {
    for (int round = 2; round < 5; round++) {
      insert("{_id: %d, a: %d}".formatted(round, round));
      reopen();
      assertThat(engine.failure()).isEmpty();
      assertThat(log.failure()).isEmpty();
      assertThat(database.writeGate().lockCount()).isZero();
      insert("{_id: -%d, a: -%d}".formatted(round, round));
      log.sync();
    }
    assertThat(collection().documents()).isEqualTo(7);
    assertThat(
            TestDatabase.drain(
                database.find(
                    operation(), FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY))))
        .hasSize(7);
    assertThat(new CollectionValidator(engine, collection(), operation()).run().isValid()).isTrue();
  }

  @Test
  void whatWasOpenEnds() {
    Snapshot before = engine.snapshot();
    reopen();
    assertThatThrownBy(() -> before.get(Keyspace.RECORDS, new byte[] {1}))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REPLACED));
  }

  @Test
  void writesWorkAfterAnAttemptThatFailed() {
    assertThatThrownBy(
            () ->
                database
                    .leadership()
                    .reopenContents(
                        () -> {
                          throw new StorageException(Kind.FULL, "still full");
                        },
                        TIMEOUT_MILLIS))
        .hasMessage("still full");
    assertThat(database.writeGate().lockCount()).isZero();
    reopen();
    insert("{_id: 2, a: 2}");
  }
}
