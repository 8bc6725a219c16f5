package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountStageTest {
  private static final List<RawDocument> DOCUMENTS =
      StageFixture.documents("[{a: 1}, {a: null}, {}]");

  @Test
  void countsDocuments() {
    assertThat(StageFixture.run("[{$count: 'n'}]", DOCUMENTS))
        .isEqualTo(StageFixture.documents("[{n: 3}]"));
    assertThat(StageFixture.run("[{$match: {a: 9}}, {$count: 'n'}]", DOCUMENTS)).isEmpty();
  }

  @Test
  void refuses() {
    StageFixture.checkErrors(
        DOCUMENTS,
        """
        [{$count: 1}] !! 40156 the count field must be a non-empty string
        [{$count: ''}] !! 40157 the count field must be a non-empty string
        [{$count: '$a'}] !! 40158 the count field cannot be a $-prefixed path
        [{$count: 'a.b'}] !! 40160 the count field cannot contain '.'
        [{$count: '_id'}] !! 15948 a group's _id may only be specified once
        """);
  }
}
