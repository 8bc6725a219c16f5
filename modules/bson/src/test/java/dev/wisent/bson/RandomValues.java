package dev.wisent.bson;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.types.Decimal128;

/**
 * Random values of every type, drawn from small pools so that pairs are often equal or differ only
 * a little.
 */
final class RandomValues {
  private static final String[] STRINGS = {
    "",
    "a",
    "aa",
    "ab",
    "b",
    "\u0000",
    "a\u0000",
    "a\u0000b",
    "\u0001",
    "\u0001\u0000",
    "a\u0001",
    "\u0002",
    "ä",
    "\u07FF",
    "\u0800",
    "\uFFFD",
    "😀",
    "\u007F",
    "a much longer string, 1",
    "zz"
  };
  private static final String[] NAMES = {"", "a", "b", "ab", "\u0001", "ä", "_id", "a.b"};
  private static final byte[] TYPES = {
    ElementType.DOUBLE,
    ElementType.STRING,
    ElementType.DOCUMENT,
    ElementType.ARRAY,
    ElementType.BINARY,
    ElementType.UNDEFINED,
    ElementType.OBJECT_ID,
    ElementType.BOOLEAN,
    ElementType.DATE,
    ElementType.NULL,
    ElementType.REGEX,
    ElementType.DB_POINTER,
    ElementType.CODE,
    ElementType.SYMBOL,
    ElementType.CODE_WITH_SCOPE,
    ElementType.INT32,
    ElementType.TIMESTAMP,
    ElementType.INT64,
    ElementType.DECIMAL128,
    ElementType.MIN_KEY,
    ElementType.MAX_KEY
  };
  private static final byte[] NUMBER_TYPES = {
    ElementType.DOUBLE, ElementType.INT32, ElementType.INT64, ElementType.DECIMAL128
  };

  private final RandomGenerator random;

  RandomValues(RandomGenerator random) {
    this.random = random;
  }

  RawValue value() {
    return random.nextInt(3) == 0 ? number() : value(3);
  }

  private RawValue value(int depth) {
    byte type = TYPES[random.nextInt(TYPES.length)];
    while (depth == 0 && isNested(type)) {
      type = TYPES[random.nextInt(TYPES.length)];
    }
    return valueOf(type, depth);
  }

  private static boolean isNested(byte type) {
    return type == ElementType.DOCUMENT
        || type == ElementType.ARRAY
        || type == ElementType.CODE_WITH_SCOPE;
  }

  RawValue number() {
    if (random.nextInt(4) == 0) {
      return Numbers.EDGES.get(random.nextInt(Numbers.EDGES.size()));
    }
    return valueOf(NUMBER_TYPES[random.nextInt(NUMBER_TYPES.length)], 0);
  }

  private RawValue valueOf(byte type, int depth) {
    return switch (type) {
      case ElementType.DOUBLE -> RawValue.ofDouble(randomDouble());
      case ElementType.INT32 -> RawValue.ofInt32((int) randomLong());
      case ElementType.INT64 -> RawValue.ofInt64(randomLong());
      case ElementType.DECIMAL128 -> RawValue.ofDecimal128(randomDecimal());
      case ElementType.DATE -> RawValue.ofDate(randomLong());
      case ElementType.TIMESTAMP -> RawValue.ofTimestamp(randomLong());
      case ElementType.BOOLEAN -> RawValue.ofBoolean(random.nextBoolean());
      case ElementType.STRING, ElementType.SYMBOL, ElementType.CODE -> {
        RawValue string = RawValue.ofString(STRINGS[random.nextInt(STRINGS.length)]);
        yield new RawValue(type, string.bytes(), 0, string.length());
      }
      case ElementType.DOCUMENT -> RawValue.ofDocument(document(depth - 1));
      case ElementType.ARRAY -> array(depth - 1);
      case ElementType.OBJECT_ID -> new RawValue(type, smallBytes(12), 0, 12);
      case ElementType.BINARY -> binary();
      case ElementType.REGEX -> regex();
      case ElementType.DB_POINTER -> dbPointer();
      case ElementType.CODE_WITH_SCOPE -> codeWithScope(depth - 1);
      default -> new RawValue(type, new byte[0], 0, 0);
    };
  }

  RawDocument document(int depth) {
    var builder = new BsonBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      builder.append(NAMES[random.nextInt(NAMES.length)], value(Math.max(depth, 0)));
    }
    return builder.toDocument();
  }

  private RawValue array(int depth) {
    var builder = new BsonBuilder();
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      builder.append(i, value(Math.max(depth, 0)));
    }
    return RawValue.ofArray(builder.toDocument());
  }

  private byte[] smallBytes(int length) {
    byte[] bytes = new byte[length];
    if (length > 0) {
      bytes[random.nextInt(length)] = (byte) random.nextInt(-2, 3);
    }
    return bytes;
  }

  private RawValue binary() {
    int length = random.nextInt(20) == 0 ? 253 + random.nextInt(5) : random.nextInt(4);
    byte[] bytes = new byte[5 + length];
    LittleEndian.putInt32(bytes, 0, length);
    bytes[4] = (byte) (random.nextBoolean() ? 0 : 0x80 + random.nextInt(2));
    System.arraycopy(smallBytes(length), 0, bytes, 5, length);
    return new RawValue(ElementType.BINARY, bytes, 0, bytes.length);
  }

  private RawValue regex() {
    String[] patterns = {"", "a", "^a", "a+", "\u0001"};
    String[] options = {"", "i", "im", "x"};
    String text =
        patterns[random.nextInt(patterns.length)]
            + '\0'
            + options[random.nextInt(options.length)]
            + '\0';
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new RawValue(ElementType.REGEX, bytes, 0, bytes.length);
  }

  private RawValue dbPointer() {
    RawValue name = RawValue.ofString(STRINGS[random.nextInt(STRINGS.length)]);
    byte[] bytes = new byte[name.length() + 12];
    System.arraycopy(name.bytes(), 0, bytes, 0, name.length());
    System.arraycopy(smallBytes(12), 0, bytes, name.length(), 12);
    return new RawValue(ElementType.DB_POINTER, bytes, 0, bytes.length);
  }

  private RawValue codeWithScope(int depth) {
    RawValue code = RawValue.ofString(STRINGS[random.nextInt(STRINGS.length)]);
    RawDocument scope = document(depth);
    byte[] bytes = new byte[4 + code.length() + scope.length()];
    LittleEndian.putInt32(bytes, 0, bytes.length);
    System.arraycopy(code.bytes(), 0, bytes, 4, code.length());
    System.arraycopy(scope.bytes(), 0, bytes, 4 + code.length(), scope.length());
    return new RawValue(ElementType.CODE_WITH_SCOPE, bytes, 0, bytes.length);
  }

  private long randomLong() {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(-3, 4);
      case 1 -> random.nextLong();
      case 2 -> (1L << random.nextInt(64)) + random.nextInt(-2, 3);
      case 3 -> -(1L << random.nextInt(64)) + random.nextInt(-2, 3);
      default -> random.nextInt(-2000, 2000);
    };
  }

  private double randomDouble() {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(-3, 4);
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> (double) randomLong();
      case 3 -> random.nextInt(-300, 300) / 100.0;
      case 4 -> Math.nextUp((double) randomLong());
      default -> random.nextInt(-300, 300) / 8.0;
    };
  }

  private Decimal128 randomDecimal() {
    return switch (random.nextInt(6)) {
      case 0 -> Decimal128.parse(random.nextInt(-300, 300) + "E-" + random.nextInt(4));
      case 1 -> anyDecimal();
      case 2 -> new Decimal128(randomLong());
      case 3 -> Numbers.decimal(Numbers.exact(RawValue.ofDouble(randomDouble())));
      case 4 -> Decimal128.parse(random.nextInt(-3, 4) + "E" + random.nextInt(-6176, 6112));
      default ->
          Decimal128.parse(
              randomLong() + "." + "0".repeat(random.nextInt(3)) + random.nextInt(0, 20));
    };
  }

  /** Any bits: also NaN with a payload, and coefficients that are too large. */
  private Decimal128 anyDecimal() {
    long high = random.nextLong();
    long low = random.nextLong() >>> random.nextInt(64);
    if (random.nextBoolean()) {
      high &= ~0x6001FFFFFFFFFFFFL; // plain form, short coefficient
    }
    return Decimal128.fromIEEE754BIDEncoding(high, low);
  }

  List<RawValue> values(int count) {
    var values = new ArrayList<RawValue>(count);
    for (int i = 0; i < count; i++) {
      values.add(value());
    }
    return values;
  }
}
