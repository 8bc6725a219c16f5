package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrimmedStreamTest {
  @Test
  void keepsOnlyTheFieldsThatPathsLeadTo() {
    Iterator<RawDocument> input =
        StageFixture.documents(
                "[{_id: 1, a: {b: 1, c: 2}, long_name_of_a_field: [1], x: 'y'}, {x: 1}, {}]")
            .iterator();
    var stream =
        new TrimmedStream(
            () -> input.hasNext() ? input.next() : null,
            Set.of("a.b", "a.d", "long_name_of_a_field"));
    var names = Set.of("a", "long_name_of_a_field");
    RawDocument first = stream.next();
    assertThat(first.fieldCount()).isEqualTo(names.size());
    assertThat(first.get("a").asDocument())
        .isEqualTo(StageFixture.documents("[{b: 1, c: 2}]").getFirst());
    assertThat(first.get("long_name_of_a_field").isArray()).isTrue();
    assertThat(stream.next()).isEqualTo(RawDocument.EMPTY);
    assertThat(stream.next()).isEqualTo(RawDocument.EMPTY);
    assertThat(stream.next()).isNull();
  }

  @Test
  void keepsNothingWhereNothingIsNeeded() {
    Iterator<RawDocument> input = StageFixture.documents("[{_id: 1, a: 2}]").iterator();
    var stream = new TrimmedStream(() -> input.hasNext() ? input.next() : null, List.of());
    assertThat(stream.next()).isEqualTo(RawDocument.EMPTY);
    assertThat(stream.next()).isNull();
  }

  /** A projection gives fields in the order in which it gets them. */
  @Test
  void fieldsStayInTheirOrder() {
    for (String copying : List.of("{$unwind: '$t'}", "{$sort: {t: 1}}")) {
      assertThat(
              StageFixture.run(
                  "[" + copying + ", {$project: {a: 1, b: 1, _id: 0}}]",
                  "[{_id: 1, x: 1, b: 2, t: 3, a: 4}]"))
          .extracting(RawDocument::toString)
          .containsExactly(RawDocument.parse("{b: 2, a: 4}").toString());
    }
  }
}
