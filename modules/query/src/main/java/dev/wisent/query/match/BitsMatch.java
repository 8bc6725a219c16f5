package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import java.util.Arrays;

/**
 * {@code $bitsAllSet}, {@code $bitsAllClear}, {@code $bitsAnySet} and {@code $bitsAnyClear}, on
 * whole numbers of 64 bits and on binary data. Numbers are sign-extended, so all their bits from 63
 * up are the same; binary data is zero-extended.
 */
public final class BitsMatch implements PathMatch {
  /** Which of the four. */
  public enum Test {
    ALL_SET("$bitsAllSet", true, true),
    ALL_CLEAR("$bitsAllClear", true, false),
    ANY_SET("$bitsAnySet", false, true),
    ANY_CLEAR("$bitsAnyClear", false, false);

    private final String operator;
    private final boolean all;
    private final boolean set;

    Test(String operator, boolean all, boolean set) {
      this.operator = operator;
      this.all = all;
      this.set = set;
    }
  }

  private static final int SIGN_BIT = 63;

  private final Test test;
  private final FieldPath path;
  private final int[] positions;
  private final long mask;
  private final WorkMeter meter;

  BitsMatch(Test test, FieldPath path, int[] positions, WorkMeter meter) {
    this.test = test;
    this.path = path;
    this.positions = positions;
    this.meter = meter;
    long bits = 0;
    for (int position : positions) {
      bits |= 1L << Math.min(position, SIGN_BIT);
    }
    this.mask = bits;
  }

  static MatchExpression parse(Test test, MatchParser parser, FieldPath path, Operand operand) {
    WorkMeter meter = parser.meter();
    RawValue value = operand.value();
    if (value.isArray()) {
      return new BitsMatch(test, path, positionsOfArray(operand), meter);
    }
    if (value.isNumber()) {
      return new BitsMatch(
          test, path, positionsOfMask(IntegerOperand.toNonNegativeLong(operand)), meter);
    }
    if (value.type() == ElementType.BINARY) {
      return new BitsMatch(test, path, positionsOfBinary(value), meter);
    }
    // The path stands where one expects the operator; so it does in MongoDB.
    throw MatchErrors.badValue(
        path.dotted() + " takes an Array, a number, or a BinData but received: " + operand.text());
  }

  private static int[] positionsOfArray(Operand operand) {
    int[] positions = new int[operand.value().asDocument().fieldCount()];
    ElementCursor elements = operand.value().elements();
    for (int i = 0; elements.next(); i++) {
      try {
        positions[i] =
            IntegerOperand.toNonNegativeInt(
                new Operand(elements.name(), elements.value(), operand.siblings()));
      } catch (CommandException e) {
        throw MatchErrors.badValue("Failed to parse bit position. " + e.getMessage());
      }
    }
    return positions;
  }

  private static int[] positionsOfMask(long mask) {
    int[] positions = new int[Long.bitCount(mask)];
    long rest = mask;
    for (int i = 0; i < positions.length; i++) {
      positions[i] = Long.numberOfTrailingZeros(rest);
      rest &= rest - 1;
    }
    return positions;
  }

  private static int[] positionsOfBinary(RawValue binary) {
    int start = binary.offset() + 5;
    int bits = (binary.length() - 5) * 8;
    int[] positions = new int[bits];
    int count = 0;
    for (int bit = 0; bit < bits; bit++) {
      if (isSet(binary.bytes(), start, bit)) {
        positions[count++] = bit;
      }
    }
    return Arrays.copyOf(positions, count);
  }

  private static boolean isSet(byte[] bytes, int start, int bit) {
    return (bytes[start + (bit >>> 3)] & 1 << (bit & 7)) != 0;
  }

  public Test test() {
    return test;
  }

  /** The tested bits, counted from the least significant one. */
  public int[] positions() {
    return positions.clone();
  }

  @Override
  public FieldPath path() {
    return path;
  }

  @Override
  public WorkMeter meter() {
    return meter;
  }

  @Override
  public String operator() {
    return test.operator;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    if (value == null) {
      return false;
    }
    return switch (value.type()) {
      case ElementType.INT32, ElementType.INT64 -> testNumber(value.toLong());
      case ElementType.DOUBLE -> {
        double number = value.asDouble();
        yield number >= -0x1p63
            && number < 0x1p63
            && number == Math.rint(number)
            && testNumber((long) number);
      }
      case ElementType.DECIMAL128 -> {
        Long number = IntegerOperand.exactLong(value.asDecimal128());
        yield number != null && testNumber(number);
      }
      case ElementType.BINARY -> testBinary(value);
      default -> false;
    };
  }

  private boolean testNumber(long number) {
    long hits = (test.set ? number : ~number) & mask;
    return test.all ? hits == mask : hits != 0;
  }

  private boolean testBinary(RawValue binary) {
    int start = binary.offset() + 5;
    long bits = (binary.length() - 5) * 8L;
    for (int position : positions) {
      boolean hit = test.set == (position < bits && isSet(binary.bytes(), start, position));
      if (hit != test.all) {
        return hit;
      }
    }
    return test.all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BitsMatch that
        && test == that.test
        && path.equals(that.path)
        && Arrays.equals(positions, that.positions);
  }

  @Override
  public int hashCode() {
    return 31 * path.hashCode() + Arrays.hashCode(positions);
  }
}
