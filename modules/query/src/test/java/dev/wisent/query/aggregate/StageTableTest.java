package dev.wisent.query.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.group.GroupStages;
import dev.wisent.query.cases.OperatorCases;
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
    List<RawDocument> input = StageCases.documents(documents);
    if (line.contains(" !! ")) {
      String[] parts = line.split(" !! ", 2);
      StageCases.checkErrors(input, "[" + parts[0] + "] !! " + parts[1]);
    } else {
      String[] parts = line.split(" => ", 2);
      String pipeline = "[" + parts[0] + "]";
      List<String> want = StageCases.texts(parts[1]);
      assertThat(StageCases.run(pipeline, input)).as(line).isEqualTo(want);
      assertThat(StageCases.runInFiles(pipeline, input)).as(line + " in files").isEqualTo(want);
    }
  }
}
