package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "-0.0, -0.0",
    "5, 5.0",
    "-2.5, -2.5",
    "0.1, 0.1",
    "0.30000000000000004, 0.3",
    "123456789.125, 123456789.125",
    "1e15, 1000000000000000.0",
    "1e16, 1e+16.0",
    "1.5e300, 1.5e+300",
    "0.0001, 0.0001",
    "0.00001, 1e-05.0",
    "Infinity, inf.0",
    "-Infinity, -inf.0",
    "NaN, nan.0",
  })
  void doubles(double value, String expected) {
    assertThat(ValueText.of(RawValue.ofDouble(value))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{v: 5}                  | 5",
        "{v: {$numberLong: '7'}} | 7",
        "{v: 'a \"b\" c'}        | \"a \"b\" c\"",
        "{v: {}}                 | {}",
        "{v: []}                 | []",
        "{v: {a: 1, b: [true]}}  | { a: 1, b: [ true ] }",
        "{v: null}               | null",
        "{v: {$undefined: true}} | undefined",
        "{v: {$minKey: 1}}       | MinKey",
        "{v: {$maxKey: 1}}       | MaxKey",
        "{v: {$date: 1000}}      | new Date(1000)",
        "{v: /^a/i}              | /^a/i",
        "{v: {$oid: '5f0000000000000000000001'}} | ObjectId('5f0000000000000000000001')",
        "{v: {$timestamp: {t: 3, i: 4}}}         | Timestamp(3, 4)",
        "{v: {$numberDecimal: '1.50'}}           | 1.50",
        "{v: {$binary: {base64: 'AQ8=', subType: '00'}}} | BinData(0, 010F)",
      })
  void values(String document, String expected) {
    assertThat(ValueText.of(RawDocument.parse(document).get("v"))).isEqualTo(expected);
  }

  @Test
  void longStringsAreCut() {
    assertThat(ValueText.of(RawValue.ofString("x".repeat(159)))).hasSize(161);
    assertThat(ValueText.of(RawValue.ofString("x".repeat(160))))
        .isEqualTo('"' + "x".repeat(70) + "...\"");
    assertThat(ValueText.of(RawValue.ofString("x" + "é".repeat(80))))
        .isEqualTo("\"x" + "é".repeat(34) + "...\"");
  }

  @Test
  void longCodeIsCut() {
    assertThat(ValueText.of(RawDocument.parse("{v: {$code: '" + "x".repeat(79) + "'}}").get("v")))
        .hasSize(79);
    assertThat(ValueText.of(RawDocument.parse("{v: {$code: '" + "x".repeat(80) + "'}}").get("v")))
        .isEqualTo("x".repeat(70) + "...");
  }

  @Test
  void whatIsNestedDeeplyIsLeftOut() {
    RawDocument document = RawDocument.parse("{v: 1}");
    for (int i = 0; i < 150; i++) {
      document = new BsonBuilder().appendDocument("a", document).toDocument();
    }
    assertThat(ValueText.of(document)).isEqualTo("{ a: ".repeat(101) + "..." + " }".repeat(101));
  }
}
