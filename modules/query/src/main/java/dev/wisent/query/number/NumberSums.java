package dev.wisent.query.number;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import java.util.Arrays;
import org.bson.types.Decimal128;

/**
 * Many sums as {@link NumberSum} makes them, by number. They stand in arrays, of which there are
 * only those that the terms need.
 */
public final class NumberSums {
  private static final byte HAS_LONG = 1;
  private static final byte HAS_DOUBLE = 2;
  private static final byte HAS_FRACTION = 4;
  private static final long DECIMAL_BYTES = 32;

  private long[] wholes = new long[16];
  private byte[] flags = new byte[16];

  /** Null until something does not fit a long. */
  private double[] fractions;

  /** Null until there is a decimal; a sum's is null until it has one. */
  private Decimal128[] decimals;

  private int decimalCount;

  /** Makes a sum that of no terms. Sums begin in the order of their numbers. */
  public void start(int sum) {
    if (sum >= wholes.length) {
      grow(2 * wholes.length);
    }
    wholes[sum] = 0;
    flags[sum] = 0;
    if (decimals != null) {
      decimals[sum] = null;
    }
  }

  private void grow(int length) {
    wholes = Arrays.copyOf(wholes, length);
    flags = Arrays.copyOf(flags, length);
    if (fractions != null) {
      fractions = Arrays.copyOf(fractions, DoubleDouble.CELLS * length);
    }
    if (decimals != null) {
      decimals = Arrays.copyOf(decimals, length);
    }
  }

  /** Adds the number that lies at {@code offset}; false, and nothing done, where it is none. */
  public boolean add(int sum, byte type, byte[] bytes, int offset) {
    switch (type) {
      case ElementType.INT32 -> add(sum, (long) LittleEndian.int32(bytes, offset));
      case ElementType.INT64 -> {
        flags[sum] |= HAS_LONG;
        add(sum, LittleEndian.int64(bytes, offset));
      }
      case ElementType.DOUBLE -> {
        flags[sum] |= HAS_DOUBLE;
        int at = fraction(sum);
        double term = Double.longBitsToDouble(LittleEndian.int64(bytes, offset));
        DoubleDouble.add(fractions, at, term);
      }
      case ElementType.DECIMAL128 -> add(sum, new RawValue(type, bytes, offset, 16).asDecimal128());
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Adds a whole number, which does not change the type of the sum. */
  public void add(int sum, long term) {
    long before = wholes[sum];
    long after = before + term;
    if (((before ^ after) & (term ^ after)) < 0) {
      int at = fraction(sum);
      DoubleDouble.add(fractions, at, term);
    } else {
      wholes[sum] = after;
    }
  }

  private void add(int sum, Decimal128 term) {
    if (decimals == null) {
      decimals = new Decimal128[wholes.length];
    }
    if (decimals[sum] == null) {
      decimalCount++;
    }
    decimals[sum] = Decimals.add(decimals[sum] == null ? Decimals.ZERO : decimals[sum], term);
  }

  /** Where the sum's fraction begins. */
  private int fraction(int sum) {
    int at = DoubleDouble.CELLS * sum;
    if ((flags[sum] & HAS_FRACTION) == 0) {
      if (fractions == null) {
        fractions = new double[DoubleDouble.CELLS * wholes.length];
      }
      DoubleDouble.start(fractions, at);
      flags[sum] |= HAS_FRACTION;
    }
    return at;
  }

  /** One of the sums as it stands. */
  public NumberSum get(int sum) {
    boolean hasFraction = (flags[sum] & HAS_FRACTION) != 0;
    return new NumberSum(
        wholes[sum],
        hasFraction ? DoubleDouble.at(fractions, DoubleDouble.CELLS * sum) : null,
        decimals == null ? null : decimals[sum],
        (flags[sum] & HAS_LONG) != 0,
        (flags[sum] & HAS_DOUBLE) != 0);
  }

  /** The bytes of memory that are held. */
  public long bytes() {
    return 9L * wholes.length
        + (fractions == null ? 0 : 8L * fractions.length)
        + (decimals == null ? 0 : 4L * decimals.length + DECIMAL_BYTES * decimalCount);
  }

  /** All that there is to know of a sum, for {@link #merge}. */
  public RawValue partial(int sum) {
    var out = new BsonBuilder().appendInt64("w", wholes[sum]);
    if (flags[sum] != 0) {
      out.appendInt32("f", flags[sum]);
    }
    if ((flags[sum] & HAS_FRACTION) != 0) {
      for (int i = 0; i < DoubleDouble.CELLS; i++) {
        out.appendDouble("d", fractions[DoubleDouble.CELLS * sum + i]);
      }
    }
    if (decimals != null && decimals[sum] != null) {
      out.appendDecimal128("m", decimals[sum]);
    }
    return RawValue.ofDocument(out.toDocument());
  }

  /** Adds all terms of a sum that was written down. */
  public void merge(int sum, RawValue partial) {
    double[] cells = new double[DoubleDouble.CELLS];
    int cell = 0;
    ElementCursor parts = partial.elements();
    while (parts.next()) {
      RawValue part = parts.value();
      switch (part.type()) {
        case ElementType.INT64 -> add(sum, part.asInt64());
        case ElementType.INT32 -> flags[sum] |= (byte) (part.asInt32() & (HAS_LONG | HAS_DOUBLE));
        case ElementType.DOUBLE -> cells[cell++] = part.asDouble();
        default -> add(sum, part.asDecimal128());
      }
    }
    if (cell > 0) {
      int at = fraction(sum);
      DoubleDouble total = DoubleDouble.at(fractions, at);
      total.add(DoubleDouble.at(cells, 0));
      total.write(fractions, at);
    }
  }
}
