package dev.wisent.query.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** Hashes that MongoDB gives, from its own tests. */
class HashedValueTest {
  private static long hash(String json) {
    return HashedValue.of(RawDocument.parse("{v: " + json + "}").get("v"));
  }

  @Test
  void numbersOfAllTypesBecomeAnInteger() {
    assertThat(HashedValue.of(RawValue.ofInt32(42))).isEqualTo(-944302157085130861L);
    assertThat(HashedValue.of(RawValue.ofDouble(42.123))).isEqualTo(-944302157085130861L);
    assertThat(HashedValue.of(RawValue.ofInt64(42))).isEqualTo(-944302157085130861L);
    assertThat(hashOfDecimal("42.123")).isEqualTo(-944302157085130861L);
    assertThat(HashedValue.of(RawValue.ofInt32(0))).isEqualTo(4854801880128277513L);
    assertThat(HashedValue.of(RawValue.ofDouble(Double.NaN))).isEqualTo(4854801880128277513L);
    assertThat(HashedValue.of(RawValue.ofDouble(-1.789))).isEqualTo(1140205862565771219L);
    assertThat(HashedValue.of(RawValue.ofInt32(Integer.MIN_VALUE))).isEqualTo(6165898260261354870L);
    assertThat(HashedValue.of(RawValue.ofInt64(Long.MAX_VALUE))).isEqualTo(921523596458303250L);
    assertThat(HashedValue.of(RawValue.ofDouble(Double.MAX_VALUE))).isEqualTo(921523596458303250L);
    assertThat(HashedValue.of(RawValue.ofDouble(-Double.MAX_VALUE)))
        .isEqualTo(4532067210535695462L);
  }

  private static long hashOfDecimal(String decimal) {
    return HashedValue.of(RawValue.ofDecimal128(Decimal128.parse(decimal)));
  }

  private static long hashOfLong(long number) {
    return HashedValue.of(RawValue.ofInt64(number));
  }

  /** Decimal128::toLong of MongoDB rounds ties to even where nothing else is said. */
  @Test
  void decimalsAreRounded() {
    assertThat(hashOfDecimal("42.9")).isEqualTo(hashOfLong(43));
    assertThat(hashOfDecimal("42.5")).isEqualTo(hashOfLong(42));
    assertThat(hashOfDecimal("43.5")).isEqualTo(hashOfLong(44));
    assertThat(hashOfDecimal("-1.5")).isEqualTo(hashOfLong(-2));
    assertThat(hashOfDecimal("-0.4")).isEqualTo(hashOfLong(0));
    assertThat(hashOfDecimal("-0")).isEqualTo(hashOfLong(0));
    assertThat(hashOfDecimal("1E-6100")).isEqualTo(hashOfLong(0));
    assertThat(hashOfDecimal("1E+6100")).isEqualTo(hashOfLong(Long.MAX_VALUE));
    assertThat(hashOfDecimal("-Infinity")).isEqualTo(hashOfLong(Long.MIN_VALUE));
    assertThat(hashOfDecimal("NaN")).isEqualTo(hashOfLong(0));
    assertThat(hashOfDecimal("9223372036854775806.7")).isEqualTo(hashOfLong(Long.MAX_VALUE));
  }

  @Test
  void equalNumbersOfOtherTypesHaveTheseHashes() {
    RawValue half = RawValue.ofDouble(43.5);
    assertThat(HashedValue.ofEqual(half)).containsExactly(hashOfLong(43), hashOfLong(44));
    assertThat(HashedValue.ofEqual(RawValue.ofDecimal128(Decimal128.parse("43.5"))))
        .containsExactly(hashOfLong(43), hashOfLong(44));
    assertThat(HashedValue.ofEqual(RawValue.ofDouble(42.25))).containsExactly(hashOfLong(42));
    assertThat(HashedValue.ofEqual(RawDocument.parse("{v: {a: 1.5}}").get("v"))).isEmpty();
    assertThat(HashedValue.ofEqual(RawDocument.parse("{v: {a: [1.25]}}").get("v"))).hasSize(1);
  }

  @Test
  void otherTypes() {
    assertThat(HashedValue.of(RawValue.MIN_KEY)).isEqualTo(7961148599568647290L);
    assertThat(HashedValue.of(RawValue.MAX_KEY)).isEqualTo(5504842513779440750L);
    assertThat(HashedValue.of(RawValue.UNDEFINED)).isEqualTo(40158834000849533L);
    assertThat(hash("'abc'")).isEqualTo(8478485326885698097L);
    assertThat(hash("''")).isEqualTo(2049396243249673340L);
    assertThat(HashedValue.of(RawValue.ofObjectId(new ObjectId("010203040506070809101112"))))
        .isEqualTo(-5588663249627035708L);
    assertThat(hash("true")).isEqualTo(6405873908747105701L);
    assertThat(hash("false")).isEqualTo(6289544573401934092L);
    assertThat(HashedValue.of(RawValue.ofDate(0x5566778811223344L)))
        .isEqualTo(4476222765095560467L);
    assertThat(hash("/mongodb/")).isEqualTo(-7275792090268217043L);
    assertThat(hash("/.*/i")).isEqualTo(7095855029187981886L);
    assertThat(hash("{$code: 'func f() { return 1; }'}")).isEqualTo(6861638109178014270L);
  }

  @Test
  void documentsAndArraysWithTheNamesInThem() {
    assertThat(hash("{a: 'abc', b: {$numberLong: '123'}}")).isEqualTo(4771603801758380216L);
    assertThat(hash("{a: 'abc', b: 123.5}")).isEqualTo(4771603801758380216L);
    assertThat(hash("{}")).isEqualTo(7980500913326740417L);
    assertThat(hash("['bar', 'baz', 'qux']")).isEqualTo(-2938911267422831539L);
    assertThat(hash("[]")).isEqualTo(8849948234993459283L);
    assertThat(hash("{$code: 'func f() { return 1; }', $scope: {c: true}}"))
        .isEqualTo(501342939894575968L);
  }
}
