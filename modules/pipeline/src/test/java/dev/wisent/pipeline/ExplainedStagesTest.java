package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainedStagesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$match: {a: 1}}          | [{$match: {a: {$eq: 1}}}]
          {$skip: 3}                | [{$skip: {$numberLong: '3'}}]
          {$limit: 3}               | [{$limit: {$numberLong: '3'}}]
          {$sort: {a: 1, b: -1}}    | [{$sort: {sortKey: {a: 1, b: -1}}}]
          {$project: {a: 1}}        | [{$project: {_id: true, a: true}}]
          {$project: {a: 1, _id: 0}} | [{$project: {_id: false, a: true}}]
          {$project: {a: 0}}        | [{$project: {a: false, _id: true}}]
          {$unset: ['a', 'b.c']}    | [{$project: {a: false, 'b.c': false, _id: true}}]
          {$count: 'n'}             | [{$group: {_id: {$const: null}, n: {$sum: {$const: 1}}}}, {$project: {n: true, _id: false}}]
          {$group: {_id: 1, n: {$sum: 2}}} | [{$group: {_id: {$const: 1}, n: {$sum: {$const: 2}}}}]
          """)
  void stages(String stage, String expected) {
    RawDocument pipeline = RawDocument.parse("{v: [" + stage + "]}").get("v").asDocument();
    Pipeline parsed = Pipeline.parse(pipeline, QueryContext.of(() -> 0, () -> 0));
    var expectedStages = RawDocument.parse("{v: " + expected + "}").get("v").elements();
    for (RawDocument explained : parsed.stages().getFirst().explained()) {
      assertThat(expectedStages.next()).isTrue();
      assertThat(explained).isEqualTo(expectedStages.value().asDocument());
    }
    assertThat(expectedStages.next()).isFalse();
  }
}
