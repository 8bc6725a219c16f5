package dev.wisent.query.number;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Arrays;

/**
 * A t-digest (Dunning and Ertl): percentiles of many numbers from little memory. Numbers that lie
 * together are kept as their mean and how many they are, few of them at the ends of the order and
 * many in the middle. As long as there are few numbers, all are kept, and percentiles are exact.
 */
public final class TDigest {
  /** Bounds how many means there are: no more than twice as many. */
  private static final int DELTA = 2000;

  private static final int BUFFER_MAX = 5 * DELTA;
  private static final byte BINARY_GENERIC = 0;

  /** Numbers that have come and are not yet among the means. */
  private double[] buffer = new double[4];

  private int buffered;

  /** In ascending order. */
  private double[] means = {};

  private double[] weights = {};
  private long count;
  private long negativeInfinities;
  private long positiveInfinities;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /** Adds a number; NaN is none. */
  public void add(double number) {
    if (Double.isNaN(number)) {
      return;
    }
    if (Double.isInfinite(number)) {
      if (number < 0) {
        negativeInfinities++;
      } else {
        positiveInfinities++;
      }
      return;
    }
    if (buffered == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(2 * buffered, BUFFER_MAX));
    }
    buffer[buffered++] = number;
    if (buffered == BUFFER_MAX) {
      flush();
    }
  }

  private void flush() {
    if (buffered > 0) {
      double[] ones = new double[buffered];
      Arrays.fill(ones, 1);
      Arrays.sort(buffer, 0, buffered);
      merge(buffer, ones, buffered);
      buffered = 0;
    }
  }

  /** Merges means in ascending order with those that are here. */
  private void merge(double[] otherMeans, double[] otherWeights, int otherSize) {
    for (int i = 0; i < otherSize; i++) {
      count += (long) otherWeights[i];
    }
    min = Math.min(min, otherMeans[0]);
    max = Math.max(max, otherMeans[otherSize - 1]);
    double[] newMeans = new double[means.length + otherSize];
    double[] newWeights = new double[means.length + otherSize];
    int size = 0;
    int mine = 0;
    int other = 0;
    double before = 0;
    double limit = 0;
    while (mine < means.length || other < otherSize) {
      boolean takeMine =
          other == otherSize || (mine < means.length && means[mine] <= otherMeans[other]);
      double mean = takeMine ? means[mine] : otherMeans[other];
      double weight = takeMine ? weights[mine++] : otherWeights[other++];
      if (size > 0 && before + newWeights[size - 1] + weight <= limit) {
        join(newMeans, newWeights, size - 1, mean, weight);
      } else {
        before += size == 0 ? 0 : newWeights[size - 1];
        limit = count * limit(before / count);
        newMeans[size] = mean;
        newWeights[size++] = weight;
      }
    }
    means = Arrays.copyOf(newMeans, size);
    weights = Arrays.copyOf(newWeights, size);
  }

  /** Adds to the heavier mean, so that the result lies between the two. */
  private static void join(double[] means, double[] weights, int at, double mean, double weight) {
    double total = weights[at] + weight;
    means[at] =
        weight < weights[at]
            ? means[at] + (mean - means[at]) * (weight / total)
            : mean + (means[at] - mean) * (weights[at] / total);
    weights[at] = total;
  }

  /** Where a mean that begins at this part of the order has to end. */
  private static double limit(double q) {
    double k = q <= 0.5 ? DELTA * Math.sqrt(q / 2) : DELTA - DELTA * Math.sqrt((1 - q) / 2);
    double r = (k + 1) / DELTA;
    return r <= 0.5 ? 2 * r * r : 1 - 2 * (1 - r) * (1 - r);
  }

  /** The place, from 0 on, of a percentile among so many numbers in order. */
  public static long rank(long count, double p) {
    return Math.clamp((long) Math.ceil(count * p) - 1, 0L, count - 1);
  }

  /** A percentile; null where there are no numbers. */
  public RawValue get(double p) {
    flush();
    long all = count + negativeInfinities + positiveInfinities;
    return all == 0 ? RawValue.NULL : RawValue.ofDouble(number(p, rank(all, p)));
  }

  private double number(double p, long rank) {
    if (rank < negativeInfinities) {
      return Double.NEGATIVE_INFINITY;
    }
    long inner = rank - negativeInfinities;
    if (inner >= count || (p >= 1 && positiveInfinities > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    return p >= 1 ? max : p <= 0 ? min : interpolate(inner);
  }

  private double interpolate(long rank) {
    int at = 0;
    double end = weights[0];
    while (end <= rank) {
      end += weights[++at];
    }
    double weight = weights[at];
    if (weight == 1) {
      return means[at];
    }
    // The numbers behind two neighbours are taken to lie evenly between their means.
    double left;
    double right;
    double leftWeight;
    double rightWeight;
    double twiceInner;
    if (end - rank >= weight / 2) {
      left = at == 0 ? min : means[at - 1];
      right = means[at];
      leftWeight = at == 0 ? 0 : weights[at - 1];
      rightWeight = weight;
      twiceInner = leftWeight + 2 * rightWeight - 2 * (end - 1 - rank);
    } else {
      boolean last = at == means.length - 1;
      left = means[at];
      right = last ? max : means[at + 1];
      leftWeight = weight;
      rightWeight = last ? 0 : weights[at + 1];
      twiceInner = leftWeight - 2 * (end - 1 - rank);
    }
    return Math.min(right, left + (right - left) * (twiceInner / (leftWeight + rightWeight)));
  }

  /** The bytes of memory that are held. */
  public long bytes() {
    return 112 + 8L * (buffer.length + means.length + weights.length);
  }

  /** All that there is to know, for {@link #merge(RawValue)}. */
  public RawValue partial() {
    flush();
    byte[] pairs = new byte[16 * means.length];
    for (int i = 0; i < means.length; i++) {
      LittleEndian.putInt64(pairs, 16 * i, Double.doubleToRawLongBits(means[i]));
      LittleEndian.putInt64(pairs, 16 * i + 8, Double.doubleToRawLongBits(weights[i]));
    }
    var out = new BsonBuilder(pairs.length + 96).appendInt64("n", negativeInfinities);
    out.appendInt64("p", positiveInfinities).appendDouble("min", min).appendDouble("max", max);
    return RawValue.ofDocument(out.appendBinary("m", BINARY_GENERIC, pairs).toDocument());
  }

  /** Adds all numbers of a digest that was written down. */
  public void merge(RawValue partial) {
    flush();
    RawDocument other = partial.asDocument();
    negativeInfinities += other.get("n").asInt64();
    positiveInfinities += other.get("p").asInt64();
    RawValue pairs = other.get("m");
    int size = LittleEndian.int32(pairs.bytes(), pairs.offset()) / 16;
    if (size == 0) {
      return;
    }
    double[] otherMeans = new double[size];
    double[] otherWeights = new double[size];
    for (int i = 0; i < size; i++) {
      int at = pairs.offset() + 5 + 16 * i;
      otherMeans[i] = Double.longBitsToDouble(LittleEndian.int64(pairs.bytes(), at));
      otherWeights[i] = Double.longBitsToDouble(LittleEndian.int64(pairs.bytes(), at + 8));
    }
    merge(otherMeans, otherWeights, size);
    min = Math.min(min, other.get("min").asDouble());
    max = Math.max(max, other.get("max").asDouble());
  }
}
