package dev.wisent.database.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.script.Script;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A pipeline comes parsed, and the plan of its first stages uses what was parsed. Each filter here
 * has a function, and parsing compiles it: so the compiler counts how often a filter is parsed. The
 * operation has no compiler at all: the planner cannot parse such a filter.
 */
class ParseOnceTest {
  private static final String FILTER =
      "{$match: {$expr: {$function: {body: 'f', args: ['$a'], lang: 'js'}}}}";

  private TestDatabase database;
  private int parsed;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    for (int id = 0; id < 6; id++) {
      database.insert("{_id: %d, a: %d}".formatted(id, id % 3));
    }
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private Script compile() {
    parsed++;
    return new Script() {
      @Override
      public boolean test(RawDocument document) {
        return true;
      }

      @Override
      public RawValue call(List<RawValue> arguments) {
        return RawValue.TRUE;
      }
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          FILTER                                                                            | 1 | 6
          FILTER, {$count: 'n'}                                                             | 1 | 1
          FILTER, {$group: {_id: '$a'}}                                                     | 1 | 3
          FILTER, {$match: {a: 1}}                                                          | 1 | 2
          FILTER, FILTER                                                                    | 2 | 6
          {$set: {b: 1}}, FILTER                                                            | 1 | 6
          {$sort: {a: 1}}, FILTER, {$limit: 2}                                              | 1 | 2
          # Without variables the filter of the other documents is the same for each document.
          {$lookup: {from: 'c', pipeline: [FILTER], as: 'r'}}                            | 1 | 6
          {$lookup: {from: 'c', pipeline: [{$sample: {size: 9}}, FILTER], as: 'r'}}      | 1 | 6
          {$lookup: {from: 'c', let: {v: '$a'}, pipeline: [FILTER, {$sample: {size: 9}}], as: 'r'}} | 2 | 6
          {$lookup: {from: 'c', localField: 'a', foreignField: 'a', pipeline: [FILTER], as: 'r'}} | 1 | 6
          {$lookup: {from: 'c', localField: 'a', foreignField: 'a', pipeline: [FILTER, {$sample: {size: 9}}], as: 'r'}} | 1 | 6
          {$unionWith: {coll: 'c', pipeline: [FILTER]}}                                  | 1 | 12
          {$unionWith: 'c'}, FILTER                                                      | 1 | 12
          # With them it is another one for each document.
          {$lookup: {from: 'c', let: {v: '$a'}, pipeline: [{$match: {$expr: {$eq: ['$a', '$$v']}}}, FILTER], as: 'r'}} | 7 | 6
          """)
  void aFilterIsParsedOnce(String stages, int times, int documents) {
    OperationContext operation = database.operation();
    QueryContext context = QueryContexts.of(operation).withScripts(code -> compile());
    RawDocument array =
        TestDatabase.value("[" + stages.replace("FILTER", FILTER) + "]").asDocument();
    var request =
        new AggregateRequest(
            TestDatabase.NAMESPACE,
            Pipeline.parse(array, context),
            null,
            CollationChoice.exactly(null));
    List<RawDocument> results =
        TestDatabase.drain(database.database().aggregate(operation, request));
    assertThat(results).hasSize(documents);
    assertThat(parsed).isEqualTo(times);
  }
}
