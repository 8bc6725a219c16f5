package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.pipeline.window.WindowBounds.Bound;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.date.TimeUnit;
import dev.wisent.query.number.Decimals;
import java.time.ZoneOffset;
import org.bson.types.Decimal128;

/**
 * The ends of a window that holds the documents whose sort values are so much smaller or larger
 * than that of the current one.
 */
final class RangeEnds extends WindowEnds {
  /** Up to here a double is a whole number that a decimal of fifteen digits also is. */
  private static final double EXACT_MAX = 1e15;

  private final WindowBounds bounds;
  private final Expression sortBy;

  /** The sort values from the first one that an end has still to pass. */
  private final ValueQueue values = new ValueQueue();

  RangeEnds(WindowBounds bounds, Expression sortBy) {
    this.bounds = bounds;
    this.sortBy = sortBy;
  }

  @Override
  void restart() {
    super.restart();
    values.clear();
  }

  @Override
  void move(Partition partition) {
    long position = partition.position();
    RawValue base = sortBy.evaluate(partition.frame(position));
    checkBase(base);
    // The document itself may move while others are read.
    base = base.detached();
    long lower = moveLower(partition, position, base);
    long upper = moveUpper(partition, position, base, Math.max(upper(), lower));
    set(lower, upper);
    long needed = bounds.lower().kind() == Bound.Kind.OFFSET ? lower : upper;
    // What stands before the current document cannot be read again.
    values.dropBefore(needed);
    if (needed <= position) {
      at(position, partition);
    }
  }

  private long moveLower(Partition partition, long position, RawValue base) {
    return switch (bounds.lower().kind()) {
      case UNBOUNDED -> 0;
      case CURRENT -> position;
      case OFFSET -> {
        RawValue threshold = add(base, bounds.lower().offset());
        long lower = lower();
        RawValue value;
        while ((value = at(lower, partition)) != null && ValueOrder.compare(value, threshold) < 0) {
          lower++;
        }
        yield lower;
      }
    };
  }

  private long moveUpper(Partition partition, long position, RawValue base, long from) {
    return switch (bounds.upper().kind()) {
      case UNBOUNDED -> {
        long upper = from;
        RawValue value;
        while ((value = at(upper, partition)) != null && isExpected(value)) {
          upper++;
        }
        yield upper;
      }
      case CURRENT -> position + 1;
      case OFFSET -> {
        RawValue threshold = add(base, bounds.upper().offset());
        long upper = from;
        RawValue value;
        while ((value = at(upper, partition)) != null
            && ValueOrder.compare(value, threshold) <= 0) {
          upper++;
        }
        yield upper;
      }
    };
  }

  /** The sort value of a document; null where the partition has ended. */
  private RawValue at(long index, Partition partition) {
    if (values.isEmpty()) {
      values.startAt(Math.max(index, partition.position()));
    }
    while (values.end() <= index) {
      long next = values.end();
      if (!partition.has(next)) {
        return null;
      }
      values.add(Values.nullIfMissing(sortBy.evaluate(partition.frame(next))));
    }
    return values.get(index);
  }

  private boolean isExpected(RawValue value) {
    return bounds.unit() == null ? value.isNumber() : value.type() == ElementType.DATE;
  }

  private void checkBase(RawValue base) {
    if (base != null && isExpected(base)) {
      return;
    }
    if (bounds.unit() != null) {
      throw new CommandException(
          ErrorCode.WINDOW_RANGE_NOT_DATE,
          "Invalid range: Expected the sortBy field to be a Date, but it was "
              + Values.typeName(base));
    }
    if (base != null && base.type() == ElementType.DATE) {
      throw new CommandException(
          ErrorCode.WINDOW_RANGE_WITHOUT_UNIT,
          "Invalid range: For windows that involve date or time ranges, a unit must be provided.");
    }
    throw new CommandException(
        ErrorCode.WINDOW_RANGE_NOT_NUMBER,
        "Invalid range: Expected the sortBy field to be a number, but it was "
            + Values.typeName(base));
  }

  private RawValue add(RawValue base, RawValue delta) {
    TimeUnit unit = bounds.unit();
    if (unit != null) {
      return RawValue.ofDate(unit.add(base.asInt64(), delta.toLong(), ZoneOffset.UTC));
    }
    if (isSmallWhole(base) && isSmallWhole(delta)) {
      return RawValue.ofInt64(base.toLong() + delta.toLong());
    }
    return RawValue.ofDecimal128(Decimals.add(decimal(base), decimal(delta)));
  }

  /**
   * With fifteen digits a large double becomes another number, and its window would not even hold
   * its own document.
   */
  private static Decimal128 decimal(RawValue number) {
    return number.type() == ElementType.DOUBLE && Math.abs(number.asDouble()) >= EXACT_MAX
        ? Decimals.exactly(number.asDouble())
        : Decimals.of(number);
  }

  private static boolean isSmallWhole(RawValue value) {
    if (value.type() == ElementType.DECIMAL128) {
      return false;
    }
    double number = value.toDouble();
    return number == Math.rint(number) && Math.abs(number) < EXACT_MAX;
  }

  @Override
  long bytes() {
    return values.bytes();
  }
}
