package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.SortPattern.Part;
import dev.wisent.query.metadata.MetaType;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortPatternTest {
  @Test
  void parts() {
    SortPattern pattern =
        SortPattern.parse(RawDocument.parse("{a: 1, \"b.c\": -1, d: NumberLong(1), e: -1.0}"));
    assertThat(pattern.parts())
        .extracting(part -> part.path().dotted() + (part.descending() ? "-" : "+"))
        .containsExactly("a+", "b.c-", "d+", "e-");
    assertThat(SortPattern.parse(RawDocument.EMPTY).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: "x"}               | 15974 | Illegal key in $sort specification: a: "x"
          {a: true}              | 15974 | Illegal key in $sort specification: a: true
          {a: null}              | 15974 | Illegal key in $sort specification: a: null
          {a: 0}                 | 15975 | $sort key ordering must be 1 (for ascending) or -1 (for descending)
          {a: 2}                 | 15975 | $sort key ordering must be 1 (for ascending) or -1 (for descending)
          {"a.": 1}              | 40353 | FieldPath must not end with a '.'.
          {"": 1}                | 40352 | FieldPath cannot be constructed with empty string
          {$a: 1}                | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {a: {$foo: 1}}         | 17312 | $meta is the only expression supported by $sort right now
          {a: {}}                | 17312 | $meta is the only expression supported by $sort right now
          {a: {$meta: "textScore", b: 1}} | 9 | Cannot have additional keys in a $meta sort specification
          {a: {$meta: "foo"}}    | 31138 | Illegal $meta sort: $meta: "foo"
          {a: {$meta: 1}}        | 31138 | Illegal $meta sort: $meta: 1
          {a: {$meta: "sortKey"}}           | 31138 | Illegal $meta sort: $meta: "sortKey"
          {a: {$meta: "indexKey"}}          | 31138 | Illegal $meta sort: $meta: "indexKey"
          {a: {$meta: "recordId"}}          | 31138 | Illegal $meta sort: $meta: "recordId"
          {a: {$meta: "geoNearPoint"}}      | 31138 | Illegal $meta sort: $meta: "geoNearPoint"
          {a: {$meta: "vectorSearchScore"}} | 31138 | Illegal $meta sort: $meta: "vectorSearchScore"
          {a: {$meta: "searchScore"}}       | 31218 | $meta sort by 'searchScore' metadata is not supported
          {a: {$meta: "searchHighlights"}}  | 31219 | $meta sort by 'searchHighlights' metadata is not supported
          """)
  void refusals(String sort, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> SortPattern.parse(RawDocument.parse(sort)));
    assertThat(error).hasMessage(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @Test
  void metadataIsSortedFromTheHighest() {
    SortPattern pattern =
        SortPattern.parse(
            RawDocument.parse(
                "{x: {$meta: 'textScore'}, a: 1, y: {$meta: 'geoNearDistance'},"
                    + " z: {$meta: 'textScore'}, r: {$meta: 'randVal'}}"));
    assertThat(pattern.metadata())
        .containsExactlyInAnyOrder(
            MetaType.TEXT_SCORE, MetaType.GEO_NEAR_DISTANCE, MetaType.RAND_VAL);
    assertThat(pattern.parts())
        .extracting(Part::descending)
        .containsExactly(true, false, true, true, true);
    assertThat(pattern.isBy(MetaType.TEXT_SCORE)).isFalse();
    assertThat(pattern.toDocument())
        .isEqualTo(
            RawDocument.parse(
                """
                {$computed0: {$meta: "textScore"}, a: 1, $computed2: {$meta: "geoNearDistance"},
                 $computed3: {$meta: "textScore"}, $computed4: {$meta: "randVal"}}
                """));
  }

  @Test
  void duplicatesAndTooMany() {
    RawDocument twice = new BsonBuilder().appendInt32("a", 1).appendInt32("a", -1).toDocument();
    assertThat(catchThrowableOfType(CommandException.class, () -> SortPattern.parse(twice)))
        .hasMessage("$sort key must not contain duplicate keys (duplicate: 'a')");
    RawDocument many =
        RawDocument.parse(
            IntStream.range(0, 33)
                .mapToObj(i -> "f" + i + ": 1")
                .collect(Collectors.joining(", ", "{", "}")));
    assertThat(catchThrowableOfType(CommandException.class, () -> SortPattern.parse(many)))
        .hasMessage("too many compound keys");
  }
}
