package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit that fails changes nothing, in memory or on disk, and holds nothing. */
class FailedCommitTest {
  private static final Namespace NAMESPACE = TestDatabase.NAMESPACE;
  private static final Namespace OTHER = new Namespace("test", "other");

  private StorageEngine engine;
  private BreakableLog log;
  private LocalDatabase database;

  /** A log that refuses mutations from a certain one on. */
  private static final class BreakableLog implements CommitLog {
    private final LocalCommitLog log;
    private int accepted = Integer.MAX_VALUE;

    BreakableLog(LocalCommitLog log) {
      this.log = log;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      if (accepted-- <= 0) {
        throw new StorageException(Kind.FULL, "no space left");
      }
      return log.submit(mutation);
    }

    @Override
    public void sync() {
      log.sync();
    }

    @Override
    public void close() {
      log.close();
    }
  }

  @BeforeEach
  void open(@TempDir Path directory) {
    engine =
        StorageEngine.open(
            StorageOptions.defaults(directory)
                .withCacheBytes(8 << 20)
                .withWriteBufferBytes(1 << 20));
    log = new BreakableLog(LocalCommitLog.start(engine, BackgroundLoops.silent()));
    database = LocalDatabase.open(engine, log, Clock.system(), RandomSource.system());
    insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
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

  private OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  private Collection collection() {
    return database.catalog().require(NAMESPACE);
  }

  private void insert(String... documents) {
    database.insert(
        operation(),
        new InsertRequest(
            NAMESPACE, Stream.of(documents).map(RawDocument::parse).toList(), true, false));
  }

  /** The task fails when the log takes only so many mutations more; afterwards it works again. */
  private void assertFails(int accepted, Runnable task) {
    log.accepted = accepted;
    assertThatThrownBy(task::run).isInstanceOf(StorageException.class);
    log.accepted = Integer.MAX_VALUE;
    assertAsBefore();
    database = LocalDatabase.open(engine, log, Clock.system(), RandomSource.system());
    assertAsBefore();
  }

  private void assertAsBefore() {
    assertThat(database.latches().size()).isZero();
    assertThat(database.catalog().all()).hasSize(1);
    assertThat(collection().documents()).isEqualTo(2);
    assertThat(collection().indexes().stream().map(Index::name)).containsExactly("_id_", "a_1");
    assertThat(
            TestDatabase.drain(
                database.find(operation(), FindRequest.of(NAMESPACE, RawDocument.EMPTY))))
        .hasSize(2);
    assertThat(new CollectionValidator(engine, collection(), operation()).run().isValid()).isTrue();
    assertThat(collection().index("a_1").isMultikey()).isFalse();
  }

  @Test
  void inserts() {
    assertFails(0, () -> insert("{_id: 3, a: 3}"));
    insert("{_id: 3, a: 3}");
    assertThat(collection().documents()).isEqualTo(3);
  }

  @Test
  void updatesAndDeletes() {
    assertFails(
        0,
        () ->
            database.update(
                operation(),
                TestDatabase.request(
                    TestDatabase.statement("{_id: 1}", "{$set: {a: 5}}", false, false))));
    assertFails(
        0,
        () ->
            database.delete(
                operation(),
                new DeleteRequest(
                    NAMESPACE, List.of(new DeleteStatement(RawDocument.EMPTY, true, null)), true)));
  }

  @Test
  void creations() {
    assertFails(0, () -> database.changes().create(OTHER, RawDocument.EMPTY, operation()));
    database.changes().create(OTHER, RawDocument.EMPTY, operation());
  }

  @Test
  void drops() {
    assertFails(0, () -> database.changes().drop(collection(), operation()));
    assertThat(collection().isDropped()).isFalse();
  }

  @Test
  void renames() {
    assertFails(0, () -> database.changes().rename(collection(), OTHER, null, operation()));
  }

  @Test
  void indexes() {
    List<RawDocument> specs = List.of(TestDatabase.indexSpec(RawDocument.parse("{b: 1}")));
    for (int accepted = 0; accepted < 3; accepted++) {
      assertFails(accepted, () -> database.changes().addIndexes(collection(), specs, operation()));
    }
    assertFails(
        0,
        () ->
            database
                .changes()
                .dropIndexes(
                    collection(),
                    definition -> List.of(definition.index("a_1").orElseThrow()),
                    operation()));
    database.changes().addIndexes(collection(), specs, operation());
  }

  @Test
  void options() {
    assertFails(
        0,
        () ->
            database
                .changes()
                .modify(
                    collection(),
                    definition -> definition.withOptions(RawDocument.parse("{validator: {x: 1}}")),
                    operation()));
    insert("{_id: 9, a: 9}");
  }
}
