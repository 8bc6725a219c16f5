package dev.wisent.query.aggregate.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.StageCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountStageTest {
  private static final List<RawDocument> DOCUMENTS =
      StageCases.documents("[{a: 1}, {a: null}, {}]");

  @Test
  void countsDocuments() {
    assertThat(StageCases.run("[{$count: 'n'}]", DOCUMENTS))
        .isEqualTo(StageCases.texts("[{n: 3}]"));
    assertThat(StageCases.run("[{$match: {a: 9}}, {$count: 'n'}]", DOCUMENTS)).isEmpty();
  }

  @Test
  void refuses() {
    StageCases.checkErrors(
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
