package dev.wisent.query.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathWalkTest {
  private static String visited(String path, String document, boolean expand) {
    var seen = new ArrayList<String>();
    int found =
        PathWalk.find(
            FieldPath.of(path),
            RawValue.ofDocument(RawDocument.parse(document)),
            0,
            expand,
            value -> {
              seen.add(value == null ? "nothing" : ValueText.of(value));
              return false;
            });
    assertThat(found).isEqualTo(PathWalk.NOT_FOUND);
    return String.join("; ", seen);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a       | {a: 5}                          | 5
          a       | {b: 5}                          | nothing
          a       | {a: [5, 6]}                     | 5; 6; [ 5, 6 ]
          a       | {a: []}                         | []
          a       | {a: [[1], 2]}                   | [ 1 ]; 2; [ [ 1 ], 2 ]
          a.b     | {a: {b: 5}}                     | 5
          a.b     | {a: {b: [5]}}                   | 5; [ 5 ]
          a.b     | {a: 5}                          | nothing
          a.b     | {a: []}                         | ``
          a.b     | {a: [{b: 5}, 3, {}, {b: [9]}]}  | 5; nothing; 9; [ 9 ]
          a.b     | {a: [[{b: 1}]]}                 | ``
          a.b.c   | {a: [{b: [{c: 1}, {c: [2]}]}]}  | 1; 2; [ 2 ]
          a.1     | {a: [5, [2, 4]]}                | [ 2, 4 ]
          a.1     | {a: [5, {"1": 4}]}              | 4; { 1: 4 }
          a.0     | {a: {"0": 7}}                   | 7
          a.1.b   | {a: [5, {b: 3}]}                | nothing; 3
          a.1.0   | {a: [5, [2, 4]]}                | 2
          a.1.b   | {a: [5, [{b: 1}, 4]]}           | 1
          a.b.1   | {a: [{b: [1, 2]}]}              | 2
          a.7     | {a: [5]}                        | ``
          """)
  void values(String path, String document, String expected) {
    assertThat(visited(path, document, true)).isEqualTo(expected);
  }

  @Test
  void leafArraysAsAWhole() {
    assertThat(visited("a", "{a: [1, 2]}", false)).isEqualTo("[ 1, 2 ]");
    assertThat(visited("a.b", "{a: [{b: [1]}, {b: 2}]}", false)).isEqualTo("[ 1 ]; 2");
  }

  @Test
  void theOutermostPositionIsReported() {
    var document = RawValue.ofDocument(RawDocument.parse("{a: [{b: [1]}, {b: [2, 3]}]}"));
    PathVisitor three = value -> value != null && value.isNumber() && value.toLong() == 3;
    assertThat(PathWalk.find(FieldPath.of("a.b"), document, 0, true, three)).isEqualTo(1);
    assertThat(PathWalk.find(FieldPath.of("a.1.b"), document, 0, true, three)).isEqualTo(1);
    assertThat(PathWalk.find(FieldPath.of("a.1.b.1"), document, 0, true, three))
        .isEqualTo(PathWalk.FOUND);
    assertThat(PathWalk.find(FieldPath.of("a"), document, 0, true, three))
        .isEqualTo(PathWalk.NOT_FOUND);
  }

  @Test
  void getStaysInDocuments() {
    RawDocument document = RawDocument.parse("{a: {b: {c: 1}}, d: [{e: 1}]}");
    assertThat(PathWalk.get(document, FieldPath.of("a.b.c")).asInt32()).isEqualTo(1);
    assertThat(PathWalk.get(document, FieldPath.of("a.x.c"))).isNull();
    assertThat(PathWalk.get(document, FieldPath.of("d.e"))).isNull();
    assertThat(PathWalk.get(document, FieldPath.of("d")).isArray()).isTrue();
  }
}
