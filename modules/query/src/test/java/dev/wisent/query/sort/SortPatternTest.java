package dev.wisent.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
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
          {a: {$meta: "geoNearDistance"}} | 238 | Sorting by $meta "geoNearDistance" is not supported yet
          """)
  void refusals(String sort, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> SortPattern.parse(RawDocument.parse(sort)));
    assertThat(error).hasMessage(message);
    assertThat(error.code().code()).isEqualTo(code);
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
