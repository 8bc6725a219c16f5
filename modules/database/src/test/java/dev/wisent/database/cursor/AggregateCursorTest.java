package dev.wisent.database.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines over several batches; the stages that a find can do are done by a plan. */
class AggregateCursorTest {
  private TestDatabase database;
  private OperationContext operation;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    for (int id = 0; id < 20; id++) {
      database.insert("{_id: %d, a: %d, l: [%d, %d]}".formatted(id, id % 5, id, -id));
    }
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private ResultCursor aggregate(String stages) {
    operation = database.operation();
    Pipeline pipeline =
        Pipeline.parse(
            TestDatabase.value(stages).asDocument(), QueryContexts.of(database.operation()));
    return database
        .database()
        .aggregate(operation, new AggregateRequest(TestDatabase.NAMESPACE, pipeline, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[{$match: {a: {$gt: 1}}}]",
        "[{$match: {a: {$gt: 1}}}, {$sort: {_id: -1}}, {$skip: 2}, {$limit: 5}]",
        "[{$limit: 7}, {$skip: 2}]",
        "[{$match: {a: 3}}, {$match: {_id: {$lt: 10}}}]",
        "[{$sort: {a: -1, _id: 1}}, {$limit: 6}, {$sort: {_id: 1}}]"
      })
  void batchesAddUpToTheWhole(String stages) {
    List<RawDocument> whole = TestDatabase.drain(aggregate(stages));
    assertThat(whole).isNotEmpty();
    var together = new ArrayList<RawDocument>();
    try (ResultCursor cursor = aggregate(stages)) {
      while (!cursor.isExhausted()) {
        cursor.attach(database.operation());
        together.addAll(TestDatabase.take(cursor, 3));
        cursor.detach();
        assertThat(database.openResources()).isZero();
        database.insert("{a: 100}");
        database.delete("{a: 100}", true);
      }
    }
    assertThat(together).isEqualTo(whole);
  }

  @Test
  void theFirstStagesAreDoneByAPlan() {
    assertThat(
            TestDatabase.ids(
                TestDatabase.drain(
                    aggregate("[{$match: {a: 3}}, {$sort: {_id: -1}}, {$skip: 1}, {$limit: 2}]"))))
        .containsExactly(13, 8);
    assertThat(operation.planSummary()).isEqualTo("IXSCAN { a: 1 }");
    assertThat(operation.documentsExamined()).isEqualTo(4);
  }
}
