package dev.wisent.database.planner;

import java.util.List;

/**
 * A way to the documents of a filter: by one index, or by the branches of a disjunction, each with
 * its own.
 */
record Access(List<IndexAccess> branches) {
  Access {
    branches = List.copyOf(branches);
  }

  static Access of(IndexAccess only) {
    return new Access(List.of(only));
  }

  /** One way for each branch of a disjunction. */
  static Access union(List<Access> branches) {
    return new Access(branches.stream().flatMap(access -> access.branches().stream()).toList());
  }

  boolean isUnion() {
    return branches.size() > 1;
  }

  IndexAccess only() {
    return branches.getFirst();
  }

  /** A union is as good as its worst branch. */
  int score() {
    return branches.stream().mapToInt(IndexAccess::score).min().orElse(0);
  }
}
