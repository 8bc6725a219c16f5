package dev.wisent.sharding.advice;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Counts the values of a shard key. Keys come in ascending order, so that nothing but the current
 * one and the most common ones is kept.
 */
public final class KeyDistribution {
  private final int commonMax;
  private final PriorityQueue<CommonValue> common =
      new PriorityQueue<>(Comparator.comparingLong(CommonValue::frequency));
  private final Correlation correlation = new Correlation();
  private byte[] current;
  private RawDocument currentKey;
  private long frequency;
  private long documents;
  private long distinct;

  /** A value and how many documents have it. */
  public record CommonValue(RawDocument value, long frequency) {}

  /**
   * @param commonMax how many of the most common values are kept
   */
  public KeyDistribution(int commonMax) {
    this.commonMax = commonMax;
  }

  /**
   * Takes the key of the next document.
   *
   * @param encoded not before those that came earlier
   */
  public void add(byte[] encoded, RawDocument key) {
    add(encoded, key, 0);
  }

  /** The same with the document's place in the order of insertion. */
  public void add(byte[] encoded, RawDocument key, long insertion) {
    documents++;
    if (current != null && Arrays.equals(current, encoded)) {
      frequency++;
      return;
    }
    endValue();
    current = encoded;
    currentKey = key.detached();
    frequency = 1;
    distinct++;
    correlation.add(distinct, insertion);
  }

  private void endValue() {
    if (current == null) {
      return;
    }
    if (common.size() < commonMax) {
      common.add(new CommonValue(currentKey, frequency));
    } else if (commonMax > 0 && common.peek().frequency() < frequency) {
      common.remove();
      common.add(new CommonValue(currentKey, frequency));
    }
  }

  public long documents() {
    return documents;
  }

  public long distinctValues() {
    return distinct;
  }

  /** The most common values, the most common one first. Ends the count. */
  public List<CommonValue> mostCommon() {
    endValue();
    current = null;
    var sorted = new ArrayList<>(common);
    sorted.sort(Comparator.comparingLong(CommonValue::frequency).reversed());
    return sorted;
  }

  /**
   * How the order of the keys follows the order of insertion, from -1 to 1; 0 where there is one
   * value only.
   */
  public double insertionCorrelation() {
    return correlation.coefficient();
  }
}
