package dev.wisent.pipeline.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.cases.CaseScripts;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.ExpressionCases;
import java.util.List;

/**
 * Tables of accumulators and what comes out, one case a line: {@code accumulator => value}, or
 * {@code accumulator !! code message}. Each sees all documents as one group, once in memory, once
 * with every document's partial state in a file of its own, once on shards, and once as an
 * accumulator in front of a stage that was explained and read again.
 */
final class AccumulatorCases {
  private static final QueryContext CONTEXT =
      ExpressionCases.CONTEXT.withScripts(CaseScripts.COMPILER);

  private AccumulatorCases() {}

  static void check(String documents, String table) {
    check(documents, table, CONTEXT);
  }

  static void check(String documents, String table, QueryContext context) {
    List<RawDocument> input = StageFixture.documents(documents);
    for (String line : table.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      if (line.contains(" !! ")) {
        String[] parts = line.split(" !! ", 2);
        StageFixture.checkErrors(
            input, "[{$group: {_id: null, v: " + parts[0] + "}}] !! " + parts[1], context);
      } else {
        String[] parts = line.split(" => ", 2);
        checkValue(input, parts[0], parts[1], context);
      }
    }
  }

  private static void checkValue(
      List<RawDocument> input, String accumulator, String expected, QueryContext context) {
    List<String> want =
        StageFixture.texts(StageFixture.documents("[{_id: null, v: " + expected + "}]"));
    Pipeline pipeline =
        StageFixture.parse("[{$group: {_id: null, v: " + accumulator + "}}]", context);
    List<RawDocument> results = StageFixture.run(pipeline, input, SortSpace.inMemory());
    assertThat(StageFixture.texts(results)).as(accumulator).isEqualTo(want);
    StageFixture.checkSent(pipeline, input, results, context);
    assertThat(StageFixture.texts(StageFixture.runInFiles(pipeline, input)))
        .as(accumulator + " in files")
        .isEqualTo(want);
    String explained = pipeline.stages().getFirst().explained().toString();
    Pipeline again = StageFixture.parse(explained, context);
    assertThat(StageFixture.texts(StageFixture.run(again, input, SortSpace.inMemory())))
        .as(explained)
        .isEqualTo(want);
  }
}
