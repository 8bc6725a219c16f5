package dev.wisent.query.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldPathTest {
  @Test
  void parts() {
    FieldPath path = FieldPath.of("a.ö.10.01");
    assertThat(path.length()).isEqualTo(4);
    assertThat(path.part(1)).isEqualTo("ö".getBytes(StandardCharsets.UTF_8));
    assertThat(path.arrayIndex(0)).isEqualTo(-1);
    assertThat(path.arrayIndex(2)).isEqualTo(10);
    assertThat(path.arrayIndex(3)).isEqualTo(-1);
    assertThat(path.tail()).isEqualTo("ö.10.01");
    assertThat(FieldPath.of("a").tail()).isEmpty();
    assertThat(FieldPath.of("0").arrayIndex(0)).isZero();
    assertThat(FieldPath.of("99999999999").arrayIndex(0)).isEqualTo(-1);
  }

  @Test
  void filtersTakeEmptyParts() {
    assertThat(FieldPath.of("").length()).isEqualTo(1);
    assertThat(FieldPath.of("a..b").length()).isEqualTo(3);
    assertThat(FieldPath.of(".").length()).isEqualTo(2);
  }

  @Test
  void prefixes() {
    assertThat(FieldPath.of("a").isPrefixOf(FieldPath.of("a.b"))).isTrue();
    assertThat(FieldPath.of("a").isPrefixOf(FieldPath.of("ab"))).isFalse();
    assertThat(FieldPath.of("a").isPrefixOf(FieldPath.of("a"))).isFalse();
    assertThat(FieldPath.of("a.b").isPrefixOf(FieldPath.of("a"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``     | 40352 | FieldPath cannot be constructed with empty string
          a.     | 40353 | FieldPath must not end with a '.'.
          .      | 40353 | FieldPath must not end with a '.'.
          a..b   | 15998 | FieldPath field names may not be empty strings.
          .a     | 15998 | FieldPath field names may not be empty strings.
          $a     | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          a.$b   | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          """)
  void strictPaths(String dotted, int code, String message) {
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> FieldPath.strict(dotted));
    assertThat(error).hasMessage(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @Test
  void strictPathsMayLeadIntoDbRefs() {
    assertThat(FieldPath.strict("a.$id").length()).isEqualTo(2);
  }
}
