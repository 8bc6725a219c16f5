package dev.wisent.query.geo;

import dev.wisent.query.geo.NearPart.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What a search by distance has still to read of an index: cells, the nearest first. A cell is read
 * when nothing that is known is nearer, and divided instead where it is too large for its
 * neighbourhood. How large that is, is taken from the keys that follow the point itself, and from
 * what cells turn out to have in them.
 *
 * <p>Keys are asked for with {@link #next}, and then either all are read ({@link #finish}) or, as
 * soon as there are {@link #isEnough enough}, the rest is left for later ({@link #leave}). Belongs
 * to one thread.
 */
public abstract sealed class NearCells permits SphereNearCells, FlatNearCells {
  /** So many keys that follow the point say how close together others are. */
  private static final int SAMPLE_KEYS = 8;

  /** So many looks at keys do it where few of them are the ones that are looked for. */
  private static final int SAMPLE_WORKS = 4 * SAMPLE_KEYS;

  /** About so many keys shall be in a cell that is read. */
  private static final int CELL_KEYS = 10;

  /** A cell with more keys than this is divided. */
  private static final int CROWD = 40;

  /** How often such a cell is halved at once: of what is crowded, often a small part is. */
  private static final int STEPS_MAX = 2;

  /**
   * So many cells are divided before one is read. More of them could be equally near: around a
   * pole, cells of longitudes and latitudes are.
   */
  private static final int DIVISIONS_MAX = 32;

  /** What a distance may lose when it is computed in another way. */
  private static final double ERROR_FACTOR = 1e-9;

  private final double min;
  private final double max;

  /** Whether keys come in the order of cells; not where other fields are in front of them. */
  private final boolean inOrder;

  private final PriorityQueue<NearPart> parts = new PriorityQueue<>();
  private final PositionSet read = new PositionSet();
  private final List<NearPart> reading = new ArrayList<>();

  /** The nearest part, if it has been found to be one that can be read; it is not in the queue. */
  private NearPart upcoming;

  private int crowd = CROWD;

  /** How many cells were divided since the last one was read. */
  private int divisions;

  /**
   * @param worldMax no place is farther than this
   */
  NearCells(NearQuery near, double worldMax, boolean inOrder) {
    this.min = near.minDistance();
    this.max = Math.min(near.maxDistance(), worldMax);
    this.inOrder = inOrder;
  }

  /** To be called once by the constructors of subclasses. */
  final void start() {
    if (min <= max) {
      upcoming =
          new NearPart(Kind.SAMPLE, min, 0, 0, position(), Long.MAX_VALUE, levelMax(), false);
    }
  }

  /** Nothing that is farther than this is looked for, or there. */
  public final double end() {
    return max;
  }

  /** The place of the point itself in the order of all keys. */
  abstract long position();

  /** The place of a key in the order of all keys. */
  abstract long position(long key);

  /** The keys from one place to another. */
  abstract GeoKeyRange range(long from, long to);

  /** The level of the smallest cells. */
  abstract int levelMax();

  /** The level of the cells that have about so many places. */
  abstract int levelOf(double positions);

  /** How long the cells of a level are, about. */
  abstract double length(int level);

  /** The cell of a level that the point is in. */
  abstract long home(int level);

  /** The largest cells. */
  abstract long[] largest();

  /** One of the four parts of a cell. */
  abstract long quarter(long cell, int level, int number);

  /** The place of the first key in a cell. */
  abstract long first(long cell, int level);

  /** The place of the last key in a cell. */
  abstract long last(long cell, int level);

  /** Whether the numbers of the cells of a level are keys that none of their quarters has. */
  abstract boolean isKey(int level);

  /** How far the nearest point of a cell is, or less. */
  abstract double nearest(long cell, int level);

  /** How far the farthest point of a cell is, or more. */
  abstract double farthest(long cell, int level);

  /** How far all that is not in the point's own cell of a level is, or less. */
  abstract double edge(int level);

  /** How far the middle of a key's cell is. */
  abstract double middle(long key);

  /** How far from the middle of its cell what has a key can be. */
  abstract double reach(long key);

  /** Whether what has a key is all in the key's cell. */
  abstract boolean isPlace(long key);

  /**
   * A distance that nothing with a key is below, within the part of it that is in the key's cell;
   * infinite if it need not be looked at.
   */
  public final double least(long key) {
    double middle = middle(key);
    double reach = reach(key);
    if (middle - reach > max || (middle + reach < min && isPlace(key))) {
      return Double.POSITIVE_INFINITY;
    }
    return middle - reach;
  }

  /** Whether something at this distance or nearer may have a key that has not been read. */
  public final boolean mayBeWithin(double distance) {
    while (upcoming == null && !parts.isEmpty() && parts.peek().least() <= distance) {
      NearPart part = unread(parts.poll());
      if (part == null) {
        continue;
      }
      if (part.kind() == Kind.OUTSIDE) {
        widen(part.level(), part.finest());
      } else if (part.kind() == Kind.INSIDE && isTooLarge(part)) {
        divisions++;
        divide(part);
      } else {
        upcoming = part;
      }
    }
    return upcoming != null && upcoming.least() <= distance;
  }

  /** Where it is far to the point, cells may be as large as the way. */
  private boolean isTooLarge(NearPart part) {
    return part.level() < part.finest()
        && (part.crowded() || (length(part.level()) > part.least() && divisions < DIVISIONS_MAX));
  }

  /** What of a part has not been read; null if all has been. Of two pieces one goes back. */
  private NearPart unread(NearPart part) {
    if (part.kind() == Kind.OUTSIDE || !inOrder) {
      return part;
    }
    long from = read.nextMissing(part.from());
    if (from > part.to() || from < part.from()) {
      return null;
    }
    long to = read.lastMissing(from, part.to());
    if (to == part.to()) {
      return from == part.from() ? part : part.between(from, to);
    }
    parts.add(part.between(to + 1, part.to()));
    return part.between(from, to);
  }

  /**
   * The keys to read next, after {@link #mayBeWithin} has said that there are some. Where keys are
   * not in the order of cells, each look goes over all that is in front; so it is for many cells.
   */
  public final List<GeoKeyRange> next() {
    divisions = 0;
    boolean alone = inOrder || upcoming.kind() == Kind.SAMPLE;
    double within = 2 * upcoming.least();
    do {
      within = Math.max(within, upcoming.kind() == Kind.INSIDE ? length(upcoming.level()) : 0);
      reading.add(upcoming);
      upcoming = null;
    } while (!alone && mayBeWithin(within));
    return reading.stream().map(part -> range(part.from(), part.to())).toList();
  }

  /**
   * Whether to leave what is being read.
   *
   * @param keys how many keys were found so far
   * @param works how many were looked at for that
   */
  public final boolean isEnough(int keys, int works) {
    return reading.getFirst().kind() == Kind.SAMPLE
        ? keys >= SAMPLE_KEYS || works >= SAMPLE_WORKS
        : keys >= crowd && reading.stream().anyMatch(this::isDivisible);
  }

  private boolean isDivisible(NearPart part) {
    return part.kind() == Kind.INSIDE && part.level() < levelMax();
  }

  /**
   * Notes that all keys have been read.
   *
   * @param following the first key behind them
   */
  public final void finish(long following) {
    finishTo(position(following) - 1);
  }

  /** Notes that all keys have been read, behind which there are no others. */
  public final void finish() {
    finishTo(Long.MAX_VALUE);
  }

  private void finishTo(long last) {
    NearPart part = reading.getFirst();
    if (inOrder) {
      read.add(part.from(), last);
    }
    if (part.kind() == Kind.SAMPLE) {
      begin(0);
    }
    reading.clear();
  }

  /**
   * Notes that only a part of the keys has been read.
   *
   * @param last the last one
   * @param keys how many there were
   */
  public final void leave(long last, int keys) {
    long position = position(last);
    NearPart first = reading.getFirst();
    int level = keys == 0 ? 0 : levelOf(((double) position - first.from()) / keys * CELL_KEYS);
    if (inOrder && position > first.from()) {
      read.add(first.from(), position - 1);
    }
    if (first.kind() == Kind.SAMPLE) {
      begin(level);
    } else {
      leaveCrowd(position, level);
    }
    reading.clear();
  }

  /** Of many cells only the nearest is divided, which makes what is read next narrower. */
  private void leaveCrowd(long position, int level) {
    boolean divided = false;
    for (NearPart part : reading) {
      if (divided || !isDivisible(part)) {
        parts.add(part);
        continue;
      }
      divided = true;
      int finest = Math.clamp(inOrder ? level : 0, part.level() + 1, part.level() + STEPS_MAX);
      divide(part.crowdedFrom(inOrder ? position : part.from(), Math.min(finest, levelMax())));
    }
    // To go over all that is in front again and again costs more than some cells too many.
    crowd += inOrder ? 0 : crowd / 2;
  }

  /** Takes it that nothing has been read since {@link #next}. */
  public final void giveBack() {
    parts.addAll(reading);
    reading.clear();
  }

  /** Begins with the cell around the point, and with those larger ones that are keys. */
  private void begin(int level) {
    for (int larger = 0; larger < level; larger++) {
      addItself(home(larger), larger, min);
    }
    addInside(home(level), level, level);
    addOutside(level, level);
  }

  private void addOutside(int level, int finest) {
    double least = Math.max(edge(level), min);
    if (least <= max) {
      parts.add(new NearPart(Kind.OUTSIDE, least, 0, level, 0, 0, finest, false));
    }
  }

  /** From a cell around the point to the next larger one. */
  private void widen(int level, int finest) {
    long home = home(level);
    if (level == 0) {
      for (long cell : largest()) {
        if (cell != home) {
          addInside(cell, 0, finest);
        }
      }
      return;
    }
    for (int i = 0; i < 4; i++) {
      long cell = quarter(home(level - 1), level - 1, i);
      if (cell != home) {
        addInside(cell, level, finest);
      }
    }
    addOutside(level - 1, finest);
  }

  private void addInside(long cell, int level, int finest) {
    addInside(cell, level, Long.MIN_VALUE, Long.MAX_VALUE, finest, false);
  }

  private void addInside(long cell, int level, long from, long to, int finest, boolean crowded) {
    long first = Math.max(from, first(cell, level));
    long last = Math.min(to, last(cell, level));
    if (first > last) {
      return;
    }
    double least = Math.max(nearest(cell, level) * (1 - ERROR_FACTOR), min);
    if (least <= max && (min == 0 || farthest(cell, level) * (1 + ERROR_FACTOR) >= min)) {
      parts.add(new NearPart(Kind.INSIDE, least, cell, level, first, last, finest, crowded));
    }
  }

  private void addItself(long cell, int level, double least) {
    if (isKey(level)) {
      long position = position(cell);
      parts.add(new NearPart(Kind.ITSELF, least, cell, level, position, position, level, false));
    }
  }

  private void divide(NearPart part) {
    if (part.from() <= position(part.cell()) && position(part.cell()) <= part.to()) {
      addItself(part.cell(), part.level(), part.least());
    }
    for (int i = 0; i < 4; i++) {
      long cell = quarter(part.cell(), part.level(), i);
      addInside(cell, part.level() + 1, part.from(), part.to(), part.finest(), part.crowded());
    }
  }
}
