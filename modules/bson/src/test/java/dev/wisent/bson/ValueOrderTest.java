package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValueOrderTest {
  private static RawValue json(String value) {
    return RawDocument.parse("{v: " + value + "}").get("v");
  }

  private static void assertAscending(String... values) {
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < values.length; j++) {
        assertThat(ValueOrder.compare(json(values[i]), json(values[j])))
            .as("%s against %s", values[i], values[j])
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void typesStandInMongoDbsOrder() {
    assertAscending(
        "{$minKey: 1}",
        "{$undefined: true}",
        "null",
        "NaN",
        "-Infinity",
        "5",
        "{$numberDecimal: 'Infinity'}",
        "'text'",
        "{}",
        "[]",
        "{$binary: {base64: '', subType: '00'}}",
        "{$oid: '000000000000000000000000'}",
        "false",
        "true",
        "{$date: 0}",
        "{$timestamp: {t: 0, i: 0}}",
        "{$regularExpression: {pattern: '', options: ''}}",
        "{$dbPointer: {'$ref': 'a', '$id': {'$oid': '000000000000000000000000'}}}",
        "{$code: ''}",
        "{$code: '', $scope: {}}",
        "{$maxKey: 1}");
  }

  @Test
  void symbolsCompareAsStrings() {
    assertThat(ValueOrder.equal(json("{$symbol: 'b'}"), json("'b'"))).isTrue();
    assertAscending("'a'", "{$symbol: 'b'}", "'c'");
  }

  @Test
  void stringsCompareByUtf8BytesNotByChars() {
    assertAscending("''", "'A'", "'a'", "'a\\u0000'", "'a\\u0000b'", "'ab'", "'\\uFFFD'", "'😀'");
  }

  @Test
  void documentsCompareTypeThenNameThenValue() {
    assertAscending(
        "{}", "{b: 1}", "{b: 1, a: 1}", "{b: 2}", "{c: 0}", "{a: 'x'}", "{a: 'x', b: null}");
  }

  @Test
  void arraysCompareElementByElement() {
    assertAscending("[]", "[null]", "[1]", "[1, 0]", "[2]", "['a']", "[{}]", "[[]]");
  }

  @Test
  void namesOfArrayElementsDoNotCount() {
    RawValue canonical = json("[1, 2]");
    RawDocument odd = RawDocument.parse("{x: 1, '': 2}");
    assertThat(ValueOrder.equal(canonical, RawValue.ofArray(odd))).isTrue();
    assertThat(ValueOrder.hash(RawValue.ofArray(odd))).isEqualTo(ValueOrder.hash(canonical));
  }

  @Test
  void binaryComparesLengthThenSubtypeThenBytes() {
    assertAscending(
        "{$binary: {base64: '', subType: '80'}}",
        "{$binary: {base64: '/w==', subType: '00'}}",
        "{$binary: {base64: 'AA==', subType: '80'}}",
        "{$binary: {base64: 'gA==', subType: '80'}}",
        "{$binary: {base64: 'AAA=', subType: '00'}}");
  }

  @Test
  void datesAreSignedAndTimestampsUnsigned() {
    assertAscending("{$date: {$numberLong: '-1'}}", "{$date: {$numberLong: '0'}}");
    assertAscending("{$timestamp: {t: 1, i: 4294967295}}", "{$timestamp: {t: 4294967295, i: 0}}");
  }

  @Test
  void regexesComparePatternThenOptions() {
    assertAscending(
        "{$regularExpression: {pattern: 'a', options: ''}}",
        "{$regularExpression: {pattern: 'a', options: 'i'}}",
        "{$regularExpression: {pattern: 'ab', options: ''}}");
  }

  @Test
  void pointersCompareLengthOfNamespaceFirst() {
    assertAscending(
        "{$dbPointer: {'$ref': 'z', '$id': {'$oid': 'ffffffffffffffffffffffff'}}}",
        "{$dbPointer: {'$ref': 'aa', '$id': {'$oid': '000000000000000000000000'}}}",
        "{$dbPointer: {'$ref': 'aa', '$id': {'$oid': '000000000000000000000001'}}}");
  }

  @Test
  void codeWithScopeComparesCodeThenScope() {
    assertAscending(
        "{$code: 'a', $scope: {}}", "{$code: 'a', $scope: {x: 1}}", "{$code: 'b', $scope: {}}");
  }

  @Test
  void edgesOfNumbersCompareExactly() {
    for (RawValue a : Numbers.EDGES) {
      for (RawValue b : Numbers.EDGES) {
        assertNumbers(a, b);
      }
    }
  }

  @Test
  void randomNumbersCompareExactly() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var values = new RandomValues(new SplittableRandom(seed));
    for (int i = 0; i < 100_000; i++) {
      RawValue a = values.number();
      RawValue b = values.number();
      try {
        assertNumbers(a, b);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void assertNumbers(RawValue a, RawValue b) {
    int expected = Numbers.compare(a, b);
    int actual = ValueOrder.compare(a, b);
    if (actual != expected || ValueOrder.equal(a, b) != (expected == 0)) {
      throw new AssertionError(a + " against " + b + " is " + actual + ", not " + expected);
    }
    if (expected == 0 && ValueOrder.hash(a) != ValueOrder.hash(b)) {
      throw new AssertionError(a + " and " + b + " are equal but hash differently");
    }
  }

  @Test
  void randomValuesAreOrderedConsistently() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var values = new RandomValues(new SplittableRandom(seed));
    for (int i = 0; i < 150_000; i++) {
      List<RawValue> triple = values.values(3);
      RawValue a = triple.get(0);
      RawValue b = triple.get(1);
      RawValue c = triple.get(2);
      int ab = ValueOrder.compare(a, b);
      int bc = ValueOrder.compare(b, c);
      int ac = ValueOrder.compare(a, c);
      String what = "seed " + seed + ": ";
      if (ab != -ValueOrder.compare(b, a) || ValueOrder.compare(a, a) != 0) {
        throw new AssertionError(what + "not antisymmetric: " + a + ", " + b);
      }
      if (ab <= 0 && bc <= 0 && (ac > 0 || (ac == 0 && (ab < 0 || bc < 0)))) {
        throw new AssertionError(what + "not transitive: " + a + ", " + b + ", " + c);
      }
      if (ValueOrder.equal(a, b) != (ab == 0)) {
        throw new AssertionError(what + "equal disagrees with compare: " + a + ", " + b);
      }
      if (ab == 0 && ValueOrder.hash(a) != ValueOrder.hash(b)) {
        throw new AssertionError(what + "equal but hashed differently: " + a + ", " + b);
      }
    }
  }

  @Test
  void documentsCompareAsTheirValues() {
    RawDocument a = RawDocument.parse("{a: 1, b: [1, 2]}");
    RawDocument b = RawDocument.parse("{a: 1.0, b: [1, {$numberLong: '2'}]}");
    assertThat(ValueOrder.compare(a, b)).isZero();
    assertThat(ValueOrder.equal(a, b)).isTrue();
    assertThat(ValueOrder.compare(a, RawDocument.EMPTY)).isPositive();
  }

  @Test
  void setsOfKeysHoldEachValueOnce() {
    var keys = new HashSet<ValueKey>();
    String[] equal = {"1", "1.0", "{$numberLong: '1'}", "{$numberDecimal: '1.00'}"};
    for (String value : equal) {
      keys.add(new ValueKey(json(value)));
    }
    assertThat(keys).hasSize(1);
    keys.add(new ValueKey(json("'1'")));
    assertThat(keys).hasSize(2).contains(new ValueKey(json("{$symbol: '1'}")));
  }

  @Test
  void viewsIntoLargerArraysAreComparedWithinTheirBounds() {
    RawDocument outer = RawDocument.parse("{x: 'ab', y: 'a', z: {k: 'b'}}");
    assertThat(ValueOrder.compare(outer.get("x"), outer.get("y"))).isPositive();
    assertThat(ValueOrder.compare(outer.get("z"), json("{k: 'b'}"))).isZero();
  }
}
