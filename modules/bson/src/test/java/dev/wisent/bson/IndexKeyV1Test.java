package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.Test;

class IndexKeyV1Test {
  private static final boolean[] ASCENDING = {false};
  private static final boolean[] DESCENDING = {true};

  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();

  private byte[] encode(RawValue value, boolean descending) {
    return encoder.reset().append(value, descending).toByteArray();
  }

  private byte[] encode(List<RawValue> values, boolean[] descending) {
    encoder.reset();
    for (int i = 0; i < descending.length; i++) {
      encoder.append(values.get(i), descending[i]);
    }
    return encoder.toByteArray();
  }

  private static int order(byte[] a, byte[] b) {
    return Integer.signum(Arrays.compareUnsigned(a, b));
  }

  private static int compare(List<RawValue> a, List<RawValue> b, boolean[] descending) {
    for (int i = 0; i < descending.length; i++) {
      int c = ValueOrder.compare(a.get(i), b.get(i));
      if (c != 0) {
        return descending[i] ? -c : c;
      }
    }
    return 0;
  }

  @Test
  void numbersAreReadWithoutTheirTypes() {
    var random = new SplittableRandom(Long.getLong("wisent.seed", 1));
    for (int i = 0; i < 10_000; i++) {
      long whole = i < 4 ? i + Long.MAX_VALUE - 1 : random.nextLong() >> random.nextInt(64);
      double number = random.nextInt(9) == 0 ? whole : random.nextDouble() - 0.5;
      for (boolean descending : List.of(false, true)) {
        byte[] key = encode(RawValue.ofInt64(whole), descending);
        assertThat(IndexKeyV1.int64(key, 0, key.length, descending)).isEqualTo(whole);
        byte[] fraction = encode(RawValue.ofDouble(number), descending);
        assertThat(IndexKeyV1.number(fraction, 0, fraction.length, descending)).isEqualTo(number);
      }
    }
    var bytes = new byte[] {8, 0, 0, 0, (byte) 128, -1, 2, 3, 4, 5, 6, 7, 8};
    byte[] key = encode(new RawValue(ElementType.BINARY, bytes, 0, bytes.length), true);
    assertThat(IndexKeyV1.int64(key, 0, key.length, true)).isEqualTo(0xFF02030405060708L);
    byte[] text = encode(RawValue.ofString("1"), false);
    assertThatThrownBy(() -> IndexKeyV1.number(text, 0, text.length, false))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Order in both directions, prefix freedom, and the way back. */
  private void check(RawValue a, RawValue b) {
    int expected = ValueOrder.compare(a, b);
    byte[] aKey = encode(a, false);
    byte[] bKey = encode(b, false);
    if (order(aKey, bKey) != expected) {
      throw new AssertionError("ascending: " + a + ", " + b + " is not " + expected);
    }
    if (order(encode(a, true), encode(b, true)) != -expected) {
      throw new AssertionError("descending: " + a + ", " + b + " is not " + -expected);
    }
    if (expected != 0 && isPrefix(aKey, bKey)) {
      throw new AssertionError("prefix: " + a + ", " + b);
    }
    checkDecoded(a, ASCENDING);
    checkDecoded(a, DESCENDING);
  }

  private static boolean isPrefix(byte[] a, byte[] b) {
    return a.length <= b.length && Arrays.equals(a, 0, a.length, b, 0, a.length);
  }

  private void checkDecoded(RawValue value, boolean[] descending) {
    byte[] key = encode(value, descending[0]);
    byte[] bits = encoder.typeBitsToByteArray();
    RawValue[] decoded = IndexKeyV1.decode(key, 0, key.length, bits, 0, bits.length, descending);
    if (!decoded[0].equals(value)) {
      throw new AssertionError(value + " came back as " + decoded[0]);
    }
    if (IndexKeyV1.fieldEnd(key, 0, key.length, descending[0]) != key.length) {
      throw new AssertionError("wrong end of " + value);
    }
  }

  @Test
  void edgesOfNumbersKeepOrderAndType() {
    for (RawValue a : Numbers.EDGES) {
      for (RawValue b : Numbers.EDGES) {
        check(a, b);
      }
    }
  }

  @Test
  void randomNumbersKeepOrderAndType() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var values = new RandomValues(new SplittableRandom(seed));
    try {
      for (int i = 0; i < 100_000; i++) {
        check(values.number(), values.number());
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void neighboursOfDoublesAmongDecimalsKeepOrder() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    try {
      for (int i = 0; i < 4_000; i++) {
        double x = Double.longBitsToDouble(random.nextLong());
        if (Double.isNaN(x) || Double.isInfinite(x)) {
          continue;
        }
        RawValue near = RawValue.ofDecimal128(Numbers.decimal(Numbers.exact(RawValue.ofDouble(x))));
        check(RawValue.ofDouble(x), near);
        check(RawValue.ofDouble(Math.nextUp(x)), near);
        check(near, RawValue.ofDouble(Math.nextDown(x)));
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void randomValuesKeepOrderAndType() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var values = new RandomValues(new SplittableRandom(seed));
    try {
      for (int i = 0; i < 150_000; i++) {
        check(values.value(), values.value());
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void compoundKeysKeepOrderAndType() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var values = new RandomValues(random);
    try {
      for (int i = 0; i < 100_000; i++) {
        boolean[] descending = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
        List<RawValue> a = values.values(3);
        List<RawValue> b = values.values(3);
        for (int same = random.nextInt(3); same > 0; same--) {
          b.set(same - 1, a.get(same - 1));
        }
        byte[] aKey = encode(a, descending);
        byte[] bits = encoder.typeBitsToByteArray();
        if (order(aKey, encode(b, descending)) != compare(a, b, descending)) {
          throw new AssertionError(Arrays.toString(descending) + ": " + a + ", " + b);
        }
        RawValue[] decoded =
            IndexKeyV1.decode(aKey, 0, aKey.length, bits, 0, bits.length, descending);
        if (!List.of(decoded).equals(a)) {
          throw new AssertionError(a + " came back as " + List.of(decoded));
        }
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void orderHoldsWhateverFollowsTheFields() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var values = new RandomValues(random);
    for (int i = 0; i < 50_000; i++) {
      RawValue a = values.value();
      RawValue b = values.value();
      boolean descending = random.nextBoolean();
      long low = random.nextBoolean() ? 0 : -1;
      byte[] aKey = encoder.reset().append(a, descending).appendInt64(low).toByteArray();
      byte[] bKey = encoder.reset().append(b, descending).appendInt64(~low).toByteArray();
      int expected = ValueOrder.compare(a, b);
      if (expected != 0 && order(aKey, bKey) != (descending ? -expected : expected)) {
        throw new AssertionError("seed " + seed + ": " + a + ", " + b);
      }
    }
  }

  @Test
  void fieldsBehindAPrefixAreFoundOneByOne() {
    RawDocument document = RawDocument.parse("{a: 'x', b: {c: [1, -2.5]}, d: -7}");
    encoder.reset().appendIdent(0x01020304);
    var cursor = document.elements();
    while (cursor.next()) {
      encoder.append(cursor.value(), true);
    }
    encoder.appendInt64(99);
    int end = 4;
    for (int i = 0; i < 3; i++) {
      end = IndexKeyV1.fieldEnd(encoder.bytes(), end, encoder.length() - end, true);
    }
    assertThat(end).isEqualTo(encoder.length() - 8);
    boolean[] descending = {true, true, true};
    RawValue[] values =
        IndexKeyV1.decode(
            encoder.bytes(),
            4,
            encoder.length() - 4,
            encoder.typeBits(),
            0,
            encoder.typeBitsLength(),
            descending);
    assertThat(values).containsExactly(document.get("a"), document.get("b"), document.get("d"));
  }

  @Test
  void formatOfCommonValues() {
    assertThat(hex(RawValue.ofInt32(0))).isEqualTo("20");
    assertThat(hex(RawValue.ofInt32(1))).isEqualTo("217ff0");
    assertThat(hex(RawValue.ofInt32(-1))).isEqualTo("1f800f");
    assertThat(hex(RawValue.ofInt32(1000))).isEqualTo("21818fa0");
    assertThat(hex(RawValue.ofString("a\u0000\u0001b"))).isEqualTo("3c61010101026200");
    assertThat(hex(RawValue.NULL)).isEqualTo("14");
    assertThat(hex(RawValue.TRUE)).isEqualTo("6f");
    assertThat(hex(RawValue.ofDate(-1))).isEqualTo("787fffffffffffffff");
    assertThat(hex(RawValue.ofInt64((1L << 53) + 1))).hasSize(2 + 18 + 4);
    assertThat(hex(RawValue.ofDocument(RawDocument.parse("{a: 1, b: 'x'}"))))
        .isEqualTo("46" + "1e6100217ff0" + "3c62007800" + "00");
  }

  private String hex(RawValue value) {
    return HexFormat.of().formatHex(encode(value, false));
  }

  @Test
  void usualTypesNeedNoTypeBits() {
    RawValue[] usual = {
      RawValue.ofInt32(5),
      RawValue.ofInt64(1L << 40),
      RawValue.ofInt64((1L << 60) + 1),
      RawValue.ofDouble(2.5),
      RawValue.ofString("x"),
      RawValue.ofDecimal128(Decimal128.parse("19.99")),
      RawValue.ofDocument(RawDocument.parse("{a: 1, b: 'x', c: 1.5}"))
    };
    for (RawValue value : usual) {
      encode(value, false);
      assertThat(encoder.typeBitsLength()).as("%s", value).isZero();
    }
    encode(RawValue.ofDouble(5), false);
    assertThat(encoder.typeBitsLength()).isEqualTo(1);
  }

  @Test
  void typeBitsReachFarBehindUsualValues() {
    for (int before : new int[] {0, 1, 14, 15, 16, 142, 143, 144, 20_000}) {
      var builder = new BsonBuilder();
      for (int i = 0; i < before; i++) {
        builder.append(i, RawValue.ofInt32(i));
      }
      builder.append(before, RawValue.ofDouble(1)).append(before + 1, RawValue.ofInt32(1));
      checkDecoded(RawValue.ofArray(builder.toDocument()), ASCENDING);
    }
  }

  @Test
  void boundsEncloseWhatTheyShould() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var values = new RandomValues(random);
    for (int i = 0; i < 5_000; i++) {
      boolean descending = random.nextBoolean();
      RawValue value = values.value();
      RawValue other = values.value();
      byte[] key = encode(value, descending);
      byte[] otherKey = encode(other, descending);
      assertThat(order(encoder.reset().appendLow().toByteArray(), key)).isNegative();
      assertThat(order(encoder.reset().appendHigh().toByteArray(), key)).isPositive();

      byte[] start = encoder.reset().appendBracketStart(value.type(), descending).toByteArray();
      byte[] end = encoder.reset().appendBracketEnd(value.type(), descending).toByteArray();
      boolean inBracket = ElementType.rank(value.type()) == ElementType.rank(other.type());
      assertThat(order(start, key)).isNotPositive();
      assertThat(order(key, end)).isNegative();
      assertThat(order(start, otherKey) <= 0 && order(otherKey, end) < 0)
          .as("seed %s: %s in the bracket of %s", seed, other, value)
          .isEqualTo(inBracket);

      byte[] after = IndexKeyV1.successor(key, key.length);
      byte[] longer = encoder.reset().append(value, descending).append(other, false).toByteArray();
      assertThat(order(longer, after)).isNegative();
      assertThat(order(otherKey, after) < 0).isEqualTo(order(otherKey, key) <= 0);
    }
  }

  @Test
  void stringPrefixesBoundPrefixSearches() {
    String[] texts = {"", "a", "ab", "ab\u0000", "ab\u0001c", "abc", "abÿ", "ac", "b"};
    byte[] prefix = "ab".getBytes(StandardCharsets.UTF_8);
    for (boolean descending : new boolean[] {false, true}) {
      byte[] from = encoder.reset().appendStringPrefix(prefix, descending).toByteArray();
      byte[] to = encoder.toSuccessor();
      for (String text : texts) {
        byte[] key = encode(RawValue.ofString(text), descending);
        assertThat(order(from, key) <= 0 && order(key, to) < 0)
            .as(text)
            .isEqualTo(text.startsWith("ab"));
      }
    }
  }

  @Test
  void successorOfOnlyHighBytesDoesNotExist() {
    byte[] high = {(byte) 0xFF, (byte) 0xFF};
    assertThat(IndexKeyV1.successor(high, 2)).isNull();
    assertThat(IndexKeyV1.successor(new byte[] {1, (byte) 0xFF}, 2)).containsExactly(2);
  }

  @Test
  void damagedKeysAreReported() {
    byte[] unknown = {(byte) 200};
    assertThatThrownBy(() -> IndexKeyV1.decode(unknown, 0, 1, new byte[0], 0, 0, ASCENDING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unknown class 200");
    byte[] key = encode(RawValue.ofString("text"), false);
    for (int length = 0; length < key.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> IndexKeyV1.fieldEnd(key, 0, cut, false))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ends too early");
    }
  }
}
