package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.query.expression.ExpressionCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class SortByCountStageTest {
  private static final List<RawDocument> DOCUMENTS =
      StageFixture.documents("[{a: 'x'}, {a: 'y'}, {a: 'y'}, {}, {a: null}, {a: ['y']}, {}]");

  @Test
  void theLargestGroupComesFirst() {
    assertThat(StageFixture.run("[{$sortByCount: '$a'}]", DOCUMENTS))
        .isEqualTo(
            StageFixture.documents(
                "[{_id: null, count: 3}, {_id: 'y', count: 2}, {_id: 'x', count: 1},"
                    + " {_id: ['y'], count: 1}]"));
    assertThat(StageFixture.run("[{$sortByCount: {$isArray: '$a'}}]", DOCUMENTS))
        .isEqualTo(StageFixture.documents("[{_id: false, count: 6}, {_id: true, count: 1}]"));
  }

  @Test
  void isShortForTwoStages() {
    var stages = StageFixture.parse("[{$sortByCount: '$a'}]", ExpressionCases.CONTEXT).stages();
    assertThat(stages.stream().map(Stage::explained).flatMap(List::stream))
        .containsExactly(
            RawDocument.parse("{$group: {_id: '$a', count: {$sum: {$const: 1}}}}"),
            RawDocument.parse("{$sort: {sortKey: {count: -1}}}"));
  }

  @Test
  void refuses() {
    StageFixture.checkErrors(
        DOCUMENTS,
        """
        [{$sortByCount: {a: 1}}] !! 40147 the sortByCount field must be defined as a $-prefixed path or an expression inside an object
        [{$sortByCount: {}}] !! 40147 the sortByCount field must be defined as a $-prefixed path or an expression inside an object
        [{$sortByCount: 'a'}] !! 40148 the sortByCount field must be defined as a $-prefixed path or an expression inside an object
        [{$sortByCount: 1}] !! 40149 the sortByCount field must be specified as a string or as an object
        [{$sortByCount: ['$a']}] !! 40149 the sortByCount field must be specified as a string or as an object
        [{$sortByCount: null}] !! 40149 the sortByCount field must be specified as a string or as an object
        """);
  }
}
