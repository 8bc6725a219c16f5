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

  /** So many cells of a size at which there is something make the first ring. */
  private static final double FIRST_FACTOR = 3;

  private final double min;
  private final double max;
  private double inner;
  private double outer;
  private double width;
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

  /** The finest level that {@link #neighbourhood} knows; 0 is the whole world. */
  public abstract int finestLevel();

  /** The keys of what is about as far as the cells of a level are long. */
  public abstract List<KeyRange> neighbourhood(int level);

  /** About how long the cells of a level are. */
  abstract double size(int level);

  /** The keys of a ring that no ring before had. */
  abstract List<KeyRange> cover(double from, double to);

  /**
   * To be called once, before the first ring.
   *
   * @param level the finest one whose neighbourhood has something; 0 if nothing is known
   */
  public void start(int level) {
    width = size(level) * FIRST_FACTOR;
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

  private static double factor(long found) {
    if (found == 0) {
      return EMPTY_FACTOR;
    }
    return found < FEW ? 2 : found > MANY ? 0.5 : 1;
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
