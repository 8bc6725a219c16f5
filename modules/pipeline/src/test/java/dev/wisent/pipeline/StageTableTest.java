package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.group.GroupStages;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.cases.OperatorCases;
import dev.wisent.query.expression.ExpressionCases;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Stages that need nothing but documents; those that need collections have tests of their own. */
class StageTableTest {
  @TestFactory
  Stream<DynamicNode> cases() {
    return OperatorCases.of(
        "stage",
        Stream.concat(BasicStages.ROWS.stream(), GroupStages.ROWS.stream())
            .map(StageRow::name)
            .toList(),
        StageTableTest::check);
  }

  /**
   * Checks {@code stage => documents}, in memory and in files, or {@code stage !! code message}.
   */
  private static void check(String documents, String line) {
    List<RawDocument> input = StageFixture.documents(documents);
    if (line.contains(" !! ")) {
      String[] parts = line.split(" !! ", 2);
      StageFixture.checkErrors(input, "[" + parts[0] + "] !! " + parts[1], ExpressionCases.CONTEXT);
    } else {
      String[] parts = line.split(" => ", 2);
      Pipeline pipeline = StageFixture.parse("[" + parts[0] + "]", ExpressionCases.CONTEXT);
      List<String> want = StageFixture.texts(StageFixture.documents(parts[1]));
      List<RawDocument> results = StageFixture.run(pipeline, input, SortSpace.inMemory());
      assertThat(StageFixture.texts(results)).as(line).isEqualTo(want);
      StageFixture.checkSent(pipeline, input, results, ExpressionCases.CONTEXT);
      assertThat(StageFixture.texts(StageFixture.runInFiles(pipeline, input)))
          .as(line + " in files")
          .isEqualTo(want);
    }
  }
}
