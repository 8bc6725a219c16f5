package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code $limit} and {@code $skip} read their arguments alike. */
class CountArgumentTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'x'                          | Expected a number in: %s: "x"
          null                         | Expected a number in: %s: null
          {}                           | Expected a number in: %s: {}
          true                         | Expected a number in: %s: true
          -1                           | Expected a non-negative number in: %s: -1
          {$numberLong: '-5'}          | Expected a non-negative number in: %s: -5
          1.5                          | Expected an integer: %s: 1.5
          -1.5                         | Expected an integer: %s: -1.5
          {$numberDouble: 'NaN'}       | Expected an integer, but found NaN in: %s: nan.0
          {$numberDouble: 'Infinity'}  | Cannot represent as a 64-bit integer: %s: inf.0
          1e30                         | Cannot represent as a 64-bit integer: %s: 1e+30.0
          {$numberDecimal: '1.5'}      | Cannot represent as a 64-bit integer: %s: 1.5
          """)
  void refuses(String argument, String message) {
    for (String stage : new String[] {"$limit", "$skip"}) {
      CommandException error =
          StageFixture.errorOf("[{" + stage + ": " + argument + "}]", "[{a: 1}]");
      assertThat(error)
          .hasMessage("invalid argument to " + stage + " stage: " + message.formatted(stage));
      assertThat(error.code().code()).isEqualTo(stage.equals("$limit") ? 5107201 : 5107200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1.0", "{$numberLong: '1'}", "{$numberDecimal: '1.0'}"})
  void takesWholeNumbersOfAnyType(String argument) {
    String input = "[{a: 1}, {a: 2}, {a: 3}]";
    assertThat(StageFixture.run("[{$limit: " + argument + "}]", input)).hasSize(1);
    assertThat(StageFixture.run("[{$skip: " + argument + "}]", input)).hasSize(2);
  }
}
