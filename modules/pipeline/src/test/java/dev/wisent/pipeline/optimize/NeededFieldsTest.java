package dev.wisent.pipeline.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.pipeline.StageFixture;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields pipelines need of the documents that come in. */
class NeededFieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$project: {a: 1, 'b.x': 1, _id: 0}}                  | a b.x
          {$group: {_id: '$a', n: {$sum: '$b.x'}}}              | a b.x
          {$set: {b: '$a'}}, {$group: {_id: '$b'}}              | a
          {$set: {b: '$a'}}, {$project: {c: 1, _id: 0}}         | a c
          # What is written anew keeps the place of what was there.
          {$set: {b: '$a'}}, {$project: {b: 1, c: 1, _id: 0}}   | a b c
          {$set: {b: '$a'}}, {$project: {'b.x': 1, _id: 0}}     | a
          {$set: {'b.c': '$a'}}, {$project: {'b.c.d': 1, _id: 0}} | a b
          # What a field below is removed from stays.
          {$unset: 'a.b.c'}, {$project: {'a.b.c': 1, _id: 0}}   | a.b
          {$unset: 'a.b.c'}, {$unset: 'a.b'}, {$group: {_id: '$a.b'}} | a
          {$unset: 'a.b.c'}, {$set: {a: '$d'}}, {$project: {'a.b.c': 1, _id: 0}} | d
          {$set: {b: '$a'}}, {$set: {c: '$b'}}                  |
          """)
  void fields(String stages, String expected) {
    Set<String> needed = NeededFields.of(StageFixture.parse("[" + stages + "]").stages());
    if (expected == null) {
      assertThat(needed).isNull();
    } else {
      assertThat(needed).containsExactlyInAnyOrder(expected.split(" "));
    }
  }
}
