package dev.wisent.query.geo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Covers a part of the plane with cells of a {@code 2d} index, the larger ones first divided. */
final class FlatCovering {
  /** More cells than this are not divided further. */
  private static final int CELLS_MAX = 20;

  private final FlatCells cells;
  private final FlatBox target;
  private final List<Cell> done = new ArrayList<>();
  private final ArrayDeque<Cell> open = new ArrayDeque<>();

  private FlatCovering(FlatCells cells, FlatBox target) {
    this.cells = cells;
    this.target = target;
  }

  private record Cell(long hash, int level, FlatBox box) {
    /** From the first to the last hash in it, both included. */
    GeoKeyRange toRange() {
      return new GeoKeyRange(FlatCells.key(hash), FlatCells.key(hash | FlatCells.below(level)));
    }
  }

  /** In the order of their hashes. */
  static List<GeoKeyRange> of(FlatCells cells, FlatBox target) {
    var covering = new FlatCovering(cells, target);
    covering.run();
    return covering.done.stream()
        .sorted(Comparator.comparing(Cell::hash, Long::compareUnsigned))
        .map(Cell::toRange)
        .toList();
  }

  private void run() {
    add(new Cell(0, 0, new FlatBox(cells.min(), cells.min(), cells.max(), cells.max())));
    // Cells of a level come one after the other, so the largest is always the first.
    while (!open.isEmpty()) {
      if (open.size() + done.size() + 3 > CELLS_MAX) {
        done.addAll(open);
        return;
      }
      divide(open.removeFirst());
    }
  }

  private void divide(Cell cell) {
    FlatBox box = cell.box();
    double midX = (box.minX() + box.maxX()) / 2;
    double midY = (box.minY() + box.maxY()) / 2;
    int level = cell.level() + 1;
    int shift = FlatCells.HASH_BITS - level * 2;
    for (long quarter = 0; quarter < 4; quarter++) {
      boolean right = (quarter & 2) != 0;
      boolean upper = (quarter & 1) != 0;
      add(
          new Cell(
              cell.hash() | quarter << shift,
              level,
              new FlatBox(
                  right ? midX : box.minX(),
                  upper ? midY : box.minY(),
                  right ? box.maxX() : midX,
                  upper ? box.maxY() : midY)));
    }
  }

  private void add(Cell cell) {
    FlatBox box = fuzzy(cell.box());
    if (!target.meets(box)) {
      return;
    }
    if (target.contains(box) || cell.level() == cells.bits()) {
      done.add(cell);
    } else {
      open.addLast(cell);
    }
  }

  /** Which cell a point at an edge falls into is a matter of rounding. */
  private FlatBox fuzzy(FlatBox box) {
    double error = Math.max(Math.abs(cells.min()), Math.abs(cells.max())) * 1e-15;
    return new FlatBox(
        box.minX() - error, box.minY() - error, box.maxX() + error, box.maxY() + error);
  }
}
