package dev.wisent.query.geo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Covers a part of the plane with cells of a {@code 2d} index, the larger ones first divided. */
final class FlatCovering {
  /** More cells than this are not divided further. */
  private static final int CELLS_MAX = 20;

  private static final int HASH_BITS = 64;

  private final FlatCells cells;
  private final Target target;
  private final List<Cell> done = new ArrayList<>();
  private final ArrayDeque<Cell> open = new ArrayDeque<>();

  private FlatCovering(FlatCells cells, Target target) {
    this.cells = cells;
    this.target = target;
  }

  /** How a cell lies to what is to be covered. */
  enum Relation {
    OUTSIDE,
    PARTLY,
    INSIDE
  }

  /** What is to be covered. */
  interface Target {
    Relation relationOf(FlatBox cell);

    static Target of(FlatBox box) {
      return cell ->
          !box.meets(cell)
              ? Relation.OUTSIDE
              : box.contains(cell) ? Relation.INSIDE : Relation.PARTLY;
    }
  }

  /** The hashes of a cell, from the first to the last, both included, as unsigned numbers. */
  record Span(long first, long last) {
    KeyRange toRange() {
      return new KeyRange(FlatCells.key(first), FlatCells.key(last));
    }
  }

  private record Cell(long hash, int level, FlatBox box) {
    Span toSpan() {
      long below = level == 0 ? -1 : level * 2 == HASH_BITS ? 0 : -1L >>> (level * 2);
      return new Span(hash, hash | below);
    }
  }

  /** In the order of their hashes. */
  static List<Span> of(FlatCells cells, Target target) {
    var covering = new FlatCovering(cells, target);
    covering.run();
    return covering.done.stream()
        .map(Cell::toSpan)
        .sorted(Comparator.comparing(Span::first, Long::compareUnsigned))
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
    int shift = HASH_BITS - level * 2;
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
    switch (target.relationOf(fuzzy(cell.box()))) {
      case OUTSIDE -> {}
      case INSIDE -> done.add(cell);
      case PARTLY -> {
        if (cell.level() == cells.bits()) {
          done.add(cell);
        } else {
          open.addLast(cell);
        }
      }
    }
  }

  /** Which cell a point at an edge falls into is a matter of rounding. */
  private FlatBox fuzzy(FlatBox box) {
    double error = Math.max(Math.abs(cells.min()), Math.abs(cells.max())) * 1e-15;
    return new FlatBox(
        box.minX() - error, box.minY() - error, box.maxX() + error, box.maxY() + error);
  }
}
