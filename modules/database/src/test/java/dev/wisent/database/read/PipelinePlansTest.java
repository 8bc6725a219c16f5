package dev.wisent.database.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.database.TestDatabase;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.CollationChoice;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which plan answers the first stages of a pipeline, and how little it looks at. */
class PipelinePlansTest {
  private TestDatabase database;
  private OperationContext operation;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1, b: 1}");
    database.createIndex("{l: 1}");
    for (int id = 0; id < 50; id++) {
      database.insert("{_id: %d, a: %d, b: %d, l: [%d]}".formatted(id, id % 5, id % 7, id));
    }
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private String run(String stages) {
    operation = database.operation();
    Pipeline pipeline =
        Pipeline.parse(TestDatabase.value(stages).asDocument(), QueryContexts.of(operation));
    var request =
        new AggregateRequest(TestDatabase.NAMESPACE, pipeline, null, CollationChoice.exactly(null));
    return TestDatabase.drain(database.database().aggregate(operation, request)).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # What keys have is read from keys: no documents.
          {$match: {a: {$gte: 3}}}, {$group: {_id: '$a', n: {$sum: '$b'}}}          | IXSCAN { a: 1, b: 1 } | 20 | 0
          {$match: {a: 3}}, {$project: {_id: 0, b: 1}}                              | IXSCAN { a: 1, b: 1 } | 10 | 0
          {$match: {a: 3}}, {$set: {c: {$add: ['$a', '$b']}}}, {$project: {_id: 0, c: 1}} | IXSCAN { a: 1, b: 1 } | 10 | 0
          {$match: {a: 3}}, {$group: {_id: '$c'}}                                   | IXSCAN { a: 1, b: 1 } | 10 | 10
          {$match: {l: 3}}, {$group: {_id: '$l'}}                                   | IXSCAN { l: 1 }       | 1  | 1
          {$match: {a: 3}}, {$group: {_id: '$$ROOT'}}                               | IXSCAN { a: 1, b: 1 } | 10 | 10
          # A filter that comes late.
          {$project: {a: 1, b: 1}}, {$sort: {_id: 1}}, {$match: {a: 3}}             | IXSCAN { a: 1, b: 1 } | 10 | 10
          {$group: {_id: '$a', n: {$max: '$_id'}}}, {$match: {_id: 3}}              | IXSCAN { a: 1, b: 1 } | 10 | 10
          # Counts.
          {$count: 'n'}                                                             | RECORD_STORE_FAST_COUNT | 0 | 0
          {$sort: {a: 1}}, {$group: {_id: null, n: {$sum: 1}}}                      | RECORD_STORE_FAST_COUNT | 0 | 0
          {$match: {a: 3}}, {$count: 'n'}                                           | COUNT_SCAN { a: 1, b: 1 } | 11 | 0
          {$match: {a: 3}}, {$group: {_id: 1, n: {$count: {}}}}                     | COUNT_SCAN { a: 1, b: 1 } | 11 | 0
          # One of each group.
          {$group: {_id: '$a'}}                                                     | DISTINCT_SCAN { a: 1, b: 1 } | 5 | 0
          {$sort: {a: 1, b: 1}}, {$group: {_id: '$a', b: {$first: '$b'}}}           | DISTINCT_SCAN { a: 1, b: 1 } | 5 | 0
          {$sort: {a: 1, b: 1}}, {$group: {_id: '$a', b: {$last: '$b'}}}            | DISTINCT_SCAN { a: 1, b: 1 } | 5 | 0
          {$sort: {a: -1, b: -1}}, {$group: {_id: '$a', c: {$first: '$c'}}}         | DISTINCT_SCAN { a: 1, b: 1 } | 5 | 5
          {$match: {a: {$gt: 2}}}, {$sort: {a: 1}}, {$group: {_id: '$a', b: {$first: '$b'}}} | DISTINCT_SCAN { a: 1, b: 1 } | 2 | 0
          {$match: {a: 2}}, {$sort: {b: 1}}, {$group: {_id: '$b', i: {$first: '$a'}}} | DISTINCT_SCAN { a: 1, b: 1 } | 7 | 0
          {$sort: {a: 1, b: -1}}, {$group: {_id: '$a', b: {$first: '$b'}}}          | COLLSCAN              | 0  | 50
          {$sort: {a: 1, b: 1}}, {$group: {_id: '$a', b: {$first: '$b'}, n: {$sum: 1}}} | IXSCAN { a: 1, b: 1 } | 50 | 0
          {$group: {_id: '$l'}}                                                     | COLLSCAN              | 0  | 50
          """)
  void plans(String stages, String summary, long keys, long documents) {
    run("[" + stages + "]");
    assertThat(operation.planSummary()).isEqualTo(summary);
    assertThat(operation.documentsExamined()).as("documents").isEqualTo(documents);
    assertThat(operation.keysExamined()).as("keys").isEqualTo(keys);
  }

  @Test
  void countsWithSkipAndLimit() {
    assertThat(run("[{$match: {a: 3}}, {$skip: 2}, {$limit: 5}, {$count: 'n'}]"))
        .isEqualTo("[{\"n\": 5}]");
    assertThat(run("[{$skip: 49}, {$count: 'n'}]")).isEqualTo("[{\"n\": 1}]");
    assertThat(run("[{$skip: 50}, {$count: 'n'}]")).isEqualTo("[]");
    assertThat(run("[{$limit: 3}, {$skip: 7}, {$count: 'n'}]")).isEqualTo("[]");
    assertThat(run("[{$group: {_id: 'x', n: {$sum: 3}}}, {$set: {m: '$n'}}]"))
        .isEqualTo("[{\"_id\": \"x\", \"n\": 150, \"m\": 150}]");
  }

  @Test
  void aMissingFieldIsAGroup() {
    database.insert("{_id: 100}", "{_id: 101, a: null}");
    assertThat(run("[{$group: {_id: '$a'}}, {$sort: {_id: 1}}, {$limit: 2}]"))
        .isEqualTo("[{\"_id\": null}, {\"_id\": 0}]");
    assertThat(operation.planSummary()).isEqualTo("DISTINCT_SCAN { a: 1, b: 1 }");
  }

  /** Of a field that another one is removed from, the place is left. */
  @Test
  void aRemovedFieldLeavesWhatItWasIn() {
    String join = "{$lookup: {from: 'c', localField: 'b', foreignField: 'b', as: 'r'}}";
    assertThat(run("[{$limit: 1}, " + join + ", {$unset: 'l.x'}, {$project: {'l.x': 1, _id: 0}}]"))
        .isEqualTo("[{\"l\": []}]");
  }
}
