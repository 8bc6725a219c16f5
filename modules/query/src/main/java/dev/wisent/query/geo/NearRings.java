package dev.wisent.query.geo;

import java.util.List;

/**
 * A search from near to far: ring after ring around a point, each with the keys that may have
 * places in it. How wide the next one is depends on how much was in the last. Belongs to one
 * thread.
 */
public abstract sealed class NearRings permits SphereRings, FlatRings {
  /** With fewer results than this in a ring, the next one is wider. */
  private static final long FEW = 300;

  /** With more results than this in a ring, the next one is narrower. */
  private static final long MANY = 600;

  /** A ring that had nothing says little about where something is. */
  private static final double EMPTY_FACTOR = 4;

  /** By how much a ring is wider than one that had little in it. */
  private static final double FEW_FACTOR = 1.25;

  /** About so many keys shall be in the first ring: many ask for the first 20 or fewer. */
  public static final int FIRST_KEYS = 32;

  private final double min;
  private final double max;
  private double inner;
  private double outer;
  private double width;
  private boolean crowded;
  private boolean started;
  private boolean ended;

  /**
   * @param worldMax no place is farther than this
   */
  NearRings(NearQuery near, double worldMax) {
    this.min = near.minDistance();
    this.max = Math.min(near.maxDistance(), worldMax);
    this.outer = min;
    this.ended = min > max;
  }

  /** The keys that follow the cell of the point itself. */
  public abstract KeyRange onward();

  /** The keys that are before the cell of the point itself. */
  public abstract KeyRange backward();

  /** How many cells of the smallest size lie between the point and a key. */
  public abstract double stretch(long key);

  /** The radius of a disc that is as large as so many cells of the smallest size. */
  abstract double radius(double stretch);

  /** How far the middle of a key's cell is. */
  abstract double middle(long key);

  /** How far from the middle of its cell what has a key can be. */
  abstract double reach(long key);

  /** Whether what has a key is all in the key's cell. */
  abstract boolean isPlace(long key);

  /** The keys of a ring that no ring before had. */
  abstract List<KeyRange> cover(double from, double to);

  /** Takes it that nothing of the last ring has been read. */
  abstract void forget();

  /**
   * To be called once, before the first ring.
   *
   * @param stretch how many cells of the smallest size there are around the point for each key;
   *     infinite if nothing is known
   */
  public void start(double stretch) {
    width = radius(stretch * FIRST_KEYS);
  }

  /**
   * A distance that nothing with a key is below, within the part of it that is in the key's cell;
   * infinite if it need not be looked at.
   */
  public double least(long key) {
    double middle = middle(key);
    double reach = reach(key);
    if (middle - reach > max || (middle + reach < min && isPlace(key))) {
      return Double.POSITIVE_INFINITY;
    }
    return middle - reach;
  }

  /**
   * The keys of the last ring once more, after it turned out to be too wide for what is around.
   *
   * @param edge a distance that enough is within
   * @return null if that is not nearer than the edge of the ring
   */
  public List<KeyRange> narrow(double edge) {
    double narrower = Math.max(edge - inner, radius(0));
    if (!(inner + narrower < outer)) {
      return null;
    }
    forget();
    crowded = true;
    width = narrower;
    outer = inner + width;
    ended = false;
    return cover(inner, outer);
  }

  /** Whether there is a ring left to read. */
  public boolean hasNext() {
    return !ended;
  }

  /**
   * The keys of the next ring.
   *
   * @param found how many results there were in the last one
   */
  public List<KeyRange> next(long found) {
    if (started) {
      width *= factor(found);
    }
    started = true;
    inner = outer;
    outer = inner + width;
    if (!(outer > inner && outer < max)) {
      outer = max;
      ended = true;
    }
    return cover(inner, outer);
  }

  /** Whether there is so much around that small cells are worth their seeks. */
  boolean isCrowded() {
    return crowded;
  }

  private static double factor(long found) {
    if (found == 0) {
      return EMPTY_FACTOR;
    }
    return found < FEW ? FEW_FACTOR : found > MANY ? 0.5 : 1;
  }

  /** Where the ring that was read last begins. */
  public double inner() {
    return inner;
  }

  /** Where it ends: whatever is nearer than this has been in the rings so far. */
  public double outer() {
    return outer;
  }
}
