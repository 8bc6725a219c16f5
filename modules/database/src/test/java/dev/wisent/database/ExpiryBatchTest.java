package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Expiry.Lifetime;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However large the index keys of expired documents are, no commit of their removal is. */
class ExpiryBatchTest {
  private static final int DOCUMENTS = 60;
  private static final int KEY_BYTES = 50_000;
  private static final int COMMIT_BYTES_MAX = 1 << 20;

  /** A log that notes the size of the largest commit. */
  private static final class MeasuringLog implements CommitLog {
    private final LocalCommitLog log;
    private int largest;

    MeasuringLog(LocalCommitLog log) {
      this.log = log;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      largest = Math.max(largest, mutation.sizeBytes());
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

  @Test
  void expiredDocumentsGoInSmallCommits(@TempDir Path directory) {
    StorageOptions options = StorageOptions.defaults(directory).withCacheBytes(8 << 20);
    try (StorageEngine engine = StorageEngine.open(options);
        var log = new MeasuringLog(LocalCommitLog.start(engine, BackgroundLoops.silent()))) {
      LocalDatabase database =
          LocalDatabase.open(engine, log, Clock.system(), RandomSource.system());
      insert(database);
      database
          .changes()
          .addIndexes(
              database.catalog().require(TestDatabase.NAMESPACE),
              List.of(
                  RawDocument.parse("{v: 2, key: {at: 1}, name: 'at_1', expireAfterSeconds: 1}"),
                  RawDocument.parse("{v: 2, key: {text: 1}, name: 'text_1'}")),
              operation());
      log.largest = 0;
      Lifetime lifetime = database.expiry().lifetimes().getFirst();
      assertThat(database.expiry().deleteExpired(lifetime, operation())).isEqualTo(DOCUMENTS);
      assertThat(database.catalog().require(TestDatabase.NAMESPACE).documents()).isZero();
      assertThat(log.largest).isPositive().isLessThan(COMMIT_BYTES_MAX);
    }
  }

  private static void insert(LocalDatabase database) {
    String text = "x".repeat(KEY_BYTES);
    List<RawDocument> documents =
        IntStream.range(0, DOCUMENTS)
            .mapToObj(
                i ->
                    RawDocument.parse(
                        "{_id: %d, at: {$date: 1000}, text: '%s%d'}".formatted(i, text, i)))
            .toList();
    database.insert(operation(), new InsertRequest(TestDatabase.NAMESPACE, documents, true, false));
  }

  private static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }
}
