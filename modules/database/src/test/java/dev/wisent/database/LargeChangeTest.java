package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.WriteOutcome.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents whose index keys make their change larger than the log takes: that is an error of the
 * one document, and the log is never asked.
 */
class LargeChangeTest {
  private static final int LOG_BYTES_MAX = 4 << 20;
  private static final int BATCHES = 4;
  private static final int BATCH = 6;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory, below -> new OplogKeepingLog(below, LOG_BYTES_MAX));
    database.create("{}");
    for (int i = 0; i < 3; i++) {
      database.createIndex("{words: 1, other%d: 1}".formatted(i));
    }
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private RawDocument document(int id, int words) {
    var document = new BsonBuilder();
    document.appendInt32("_id", id);
    document.startArray("words");
    String rest = "x".repeat(60);
    for (int i = 0; i < words; i++) {
      document.appendString(Integer.toString(i), i + rest);
    }
    document.end();
    return document.toDocument();
  }

  private static ErrorCode code(Failure failure) {
    CommandException error = failure.error();
    return error.code();
  }

  @Test
  void insertsOfAllSizes() {
    int refused = 0;
    int inserted = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<RawDocument> documents = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        documents.add(document(batch * BATCH + i, random.nextInt(12_000)));
      }
      WriteOutcome outcome = database.insert(false, documents);
      assertThat(outcome.failures())
          .as("seed %d", seed)
          .allSatisfy(
              failure -> assertThat(code(failure)).isEqualTo(ErrorCode.BSON_OBJECT_TOO_LARGE));
      refused += outcome.failures().size();
      inserted += (int) outcome.matched();
    }
    assertThat(refused).isPositive();
    assertThat(inserted).isPositive();
    assertThat(refused + inserted).isEqualTo(BATCHES * BATCH);
    assertThat(database.count("{}")).isEqualTo(inserted);
  }

  @Test
  void anUpdateThatAddsTooManyKeysLeavesTheDocument() {
    database.insert("{_id: 1}", "{_id: 2}");
    RawDocument large = document(0, 12_000);
    String words = large.toJson().substring(large.toJson().indexOf("[")).replaceAll("}$", "");
    WriteOutcome outcome = database.update("{_id: 1}", "{$set: {words: " + words + "}}");
    assertThat(outcome.failures()).hasSize(1);
    assertThat(code(outcome.failures().getFirst())).isEqualTo(ErrorCode.BSON_OBJECT_TOO_LARGE);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 1}", "{\"_id\": 2}");
  }
}
