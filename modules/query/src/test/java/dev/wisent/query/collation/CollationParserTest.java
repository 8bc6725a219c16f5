package dev.wisent.query.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollationParserTest {
  private static Collation parse(String json) {
    return Collation.parse(RawDocument.parse(json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {locale: "en"}    | {locale: "en", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1"}
          {locale: "fr_CA"} | {locale: "fr_CA", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: true, version: "57.1"}
          {locale: "da"}    | {locale: "da", caseLevel: false, caseFirst: "upper", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1"}
          {locale: "th"}    | {locale: "th", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "shifted", maxVariable: "punct", normalization: true, backwards: false, version: "57.1"}
          {locale: "da", caseFirst: "off"} | {locale: "da", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1"}
          {locale: "en", caseLevel: true, caseFirst: "lower", strength: 1, numericOrdering: true, alternate: "shifted", maxVariable: "space", normalization: true, backwards: true, version: "57.1"} | {locale: "en", caseLevel: true, caseFirst: "lower", strength: 1, numericOrdering: true, alternate: "shifted", maxVariable: "space", normalization: true, backwards: true, version: "57.1"}
          {strength: 2.0, locale: "de@collation=phonebook"} | {locale: "de@collation=phonebook", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1"}
          """)
  void whatIsLeftOpenIsTheLocales(String given, String complete) {
    assertThat(parse(given).document().toJson()).isEqualTo(RawDocument.parse(complete).toJson());
    assertThat(Collation.parse(parse(given).document())).isEqualTo(parse(given));
  }

  @Test
  void theSimpleOneIsNull() {
    assertThat(parse("{locale: 'simple'}")).isNull();
    CollationChoice simple = CollationChoice.of(RawDocument.parse("{locale: 'simple'}"));
    assertThat(simple.or(parse("{locale: 'en'}"))).isNull();
    assertThat(CollationChoice.of(RawDocument.EMPTY)).isSameAs(CollationChoice.INHERITED);
    assertThat(CollationChoice.INHERITED.or(parse("{locale: 'en'}")))
        .isEqualTo(parse("{locale: 'en'}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"en_US", "en_US_POSIX", "zh_Hant@collation=pinyin", "de_AT@collation=phonebook"})
  void locales(String locale) {
    assertThat(parse("{locale: '" + locale + "'}")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                | 40414 | BSON field 'collation.locale' is missing but a required field
          {strength: 2}                     | 40414 | BSON field 'collation.locale' is missing but a required field
          {locale: 3}                       | 14 | BSON field 'collation.locale' is the wrong type 'int', expected type 'string'
          {locale: null}                    | 14 | BSON field 'collation.locale' is the wrong type 'null', expected type 'string'
          {locale: ""}                      | 2 | Field 'locale' cannot be the empty string in: { locale: "" }
          {locale: "garbage"}               | 2 | Field 'locale' is invalid in: { locale: "garbage" }
          {locale: "root"}                  | 2 | Field 'locale' is invalid in: { locale: "root" }
          {locale: "en_us"}                 | 2 | Field 'locale' is invalid in: { locale: "en_us" }. Did you mean 'en_US'?
          {locale: "en-US"}                 | 2 | Field 'locale' is invalid in: { locale: "en-US" }. Did you mean 'en_US'?
          {locale: "en_ZZ"}                 | 2 | Field 'locale' is invalid in: { locale: "en_ZZ" }. Did you mean 'en'?
          {locale: "en_"}                   | 2 | Field 'locale' is invalid in: { locale: "en_" }. Did you mean 'en'?
          {locale: "_en"}                   | 2 | Field 'locale' is invalid in: { locale: "_en" }
          {locale: "@collation=phonebook"}  | 2 | Field 'locale' is invalid in: { locale: "@collation=phonebook" }
          {locale: "en_US@collation=phonebook"} | 2 | Field 'locale' is invalid in: { locale: "en_US@collation=phonebook" }. Did you mean 'en_US'?
          {locale: "en@xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=y"} | 2 | Field 'locale' is invalid in: { locale: "en@xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=y" }. Did you mean 'en'?
          {locale: "simple", strength: 1}   | 9 | If locale=simple, no other fields should be present in: { locale: "simple", strength: 1 }
          {locale: "en", foo: 1}            | 40415 | BSON field 'collation.foo' is an unknown field.
          {locale: "en", caseLevel: 1}      | 14 | BSON field 'collation.caseLevel' is the wrong type 'int', expected type 'bool'
          {locale: "en", numericOrdering: "yes"} | 14 | BSON field 'collation.numericOrdering' is the wrong type 'string', expected type 'bool'
          {locale: "en", normalization: 1}  | 14 | BSON field 'collation.normalization' is the wrong type 'int', expected type 'bool'
          {locale: "en", backwards: 1}      | 14 | Field 'backwards' should be a boolean value, but found: int
          {locale: "en", backwards: null}   | 14 | Field 'backwards' should be a boolean value, but found: null
          {locale: "en", caseFirst: 1}      | 14 | BSON field 'collation.caseFirst' is the wrong type 'int', expected type 'string'
          {locale: "en", caseFirst: "x"}    | 2 | Enumeration value 'x' for field 'collation.caseFirst' is not a valid value.
          {locale: "en", alternate: "x"}    | 2 | Enumeration value 'x' for field 'collation.alternate' is not a valid value.
          {locale: "en", maxVariable: "x"}  | 2 | Enumeration value 'x' for field 'collation.maxVariable' is not a valid value.
          {locale: "en", strength: "2"}     | 14 | BSON field 'collation.strength' is the wrong type 'string', expected types '[long, int, decimal, double]'
          {locale: "en", strength: -1}      | 2 | BSON field 'strength' value must be >= 0, actual value '-1'
          {locale: "en", strength: 6}       | 2 | BSON field 'strength' value must be <= 5, actual value '6'
          {locale: "en", strength: 0}       | 9 | Field 'strength' must be an integer 1 through 5. Got: 0
          {locale: "en", version: 57}       | 14 | BSON field 'collation.version' is the wrong type 'int', expected type 'string'
          {locale: "en", version: "58"}     | 161 | Requested collation version 58 but the only available collator version was 57.1. Requested collation spec: { locale: "en", version: "58" }
          """)
  void refusals(String given, int code, String message) {
    CommandException error = catchThrowableOfType(CommandException.class, () -> parse(given));
    assertThat(error).as(given).isNotNull();
    assertThat(error).hasMessage(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @Test
  void aLocaleHasNoZeroByteAndNoFieldComesTwice() {
    RawDocument zero = new BsonBuilder().appendString("locale", "en_US\0").toDocument();
    assertThat(catchThrowableOfType(CommandException.class, () -> Collation.parse(zero)))
        .hasMessageStartingWith("Field 'locale' cannot contain null byte. Collation spec: ");
    RawDocument twice =
        new BsonBuilder().appendString("locale", "en").appendString("locale", "fr").toDocument();
    assertThat(catchThrowableOfType(CommandException.class, () -> Collation.parse(twice)))
        .hasMessage("BSON field 'collation.locale' is a duplicate field");
  }
}
