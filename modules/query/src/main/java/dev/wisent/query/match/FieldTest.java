package dev.wisent.query.match;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.ComparisonMatch.Comparison;
import java.util.Arrays;
import java.util.List;

/**
 * A condition on the value of one top-level field, asked with the value's place in the document.
 */
interface FieldTest {
  boolean test(byte type, byte[] bytes, int offset, int length);

  /** All of the conditions, of which every path begins with the field. */
  static FieldTest of(List<MatchExpression> conditions) {
    FieldTest[] tests = conditions.stream().map(FieldTest::of).toArray(FieldTest[]::new);
    return tests.length == 1 ? tests[0] : new All(tests);
  }

  private static FieldTest of(MatchExpression condition) {
    var general = new General(condition);
    if (!(condition instanceof ComparisonMatch match)
        || match.collated() != null
        || match.path().length() > 1) {
      return general;
    }
    Comparison comparison = match.comparison();
    RawValue operand = match.operand();
    return switch (operand.type()) {
      case ElementType.INT32, ElementType.INT64 ->
          new IntegerTest(comparison, operand.toLong(), operand.toDouble(), general);
      case ElementType.DATE -> new DateTest(comparison, operand.asInt64(), general);
      case ElementType.STRING ->
          comparison == Comparison.EQ ? new StringTest(operand, general) : general;
      default -> general;
    };
  }

  /** Any condition, which looks at the value as that of the first part of its paths. */
  record General(MatchExpression condition) implements FieldTest {
    @Override
    public boolean test(byte type, byte[] bytes, int offset, int length) {
      return condition.matches(new RawValue(type, bytes, offset, length), 1, null);
    }
  }

  /** Several conditions on one field, such as the two ends of a range. */
  @SuppressWarnings("ArrayRecordComponent") // tests are not compared
  record All(FieldTest[] tests) implements FieldTest {
    @Override
    public boolean test(byte type, byte[] bytes, int offset, int length) {
      for (FieldTest test : tests) {
        if (!test.test(type, bytes, offset, length)) {
          return false;
        }
      }
      return true;
    }
  }

  /** A comparison with an integer; decimals and what is rounded are left to the general one. */
  record IntegerTest(Comparison comparison, long operand, double operandAsDouble, FieldTest general)
      implements FieldTest {
    /** Integers up to here are doubles, too. */
    private static final long EXACT_MAX = 1L << 53;

    /** The two zeros are equal. */
    private static int sign(double value, double other) {
      if (value < other) {
        return -1;
      }
      return value > other ? 1 : 0;
    }

    @Override
    public boolean test(byte type, byte[] bytes, int offset, int length) {
      return switch (type) {
        case ElementType.INT32 ->
            comparison.accepts(Long.compare(LittleEndian.int32(bytes, offset), operand));
        case ElementType.INT64 ->
            comparison.accepts(Long.compare(LittleEndian.int64(bytes, offset), operand));
        case ElementType.DOUBLE -> {
          double value = Double.longBitsToDouble(LittleEndian.int64(bytes, offset));
          boolean exact = -EXACT_MAX <= operand && operand <= EXACT_MAX && !Double.isNaN(value);
          yield exact
              ? comparison.accepts(sign(value, operandAsDouble))
              : general.test(type, bytes, offset, length);
        }
        default -> general.test(type, bytes, offset, length);
      };
    }
  }

  /** A comparison with a date. */
  record DateTest(Comparison comparison, long operand, FieldTest general) implements FieldTest {
    @Override
    public boolean test(byte type, byte[] bytes, int offset, int length) {
      return type == ElementType.DATE
          ? comparison.accepts(Long.compare(LittleEndian.int64(bytes, offset), operand))
          : general.test(type, bytes, offset, length);
    }
  }

  /** Equality with a string. */
  record StringTest(RawValue operand, FieldTest general) implements FieldTest {
    @Override
    public boolean test(byte type, byte[] bytes, int offset, int length) {
      if (type != ElementType.STRING) {
        return general.test(type, bytes, offset, length);
      }
      int from = operand.offset();
      return length == operand.length()
          && Arrays.equals(
              bytes, offset, offset + length, operand.bytes(), from, from + operand.length());
    }
  }
}
