package dev.wisent.query.update;

import dev.wisent.query.diff.DiffTargets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The paths that an update may change, for skipping the indexes that it cannot concern. Array
 * positions are left out ({@code a.0.b} and {@code a.$[].b} are {@code a.b}), as indexes see
 * through arrays.
 */
public final class TouchedPaths {
  public static final TouchedPaths NONE = new TouchedPaths(List.of(), false);

  /** The whole document. */
  public static final TouchedPaths ALL = new TouchedPaths(List.of(), true);

  private final List<String> paths;
  private final boolean all;
  private final DiffTargets targets;

  private TouchedPaths(List<String> paths, boolean all) {
    this(paths, all, DiffTargets.UNKNOWN);
  }

  private TouchedPaths(List<String> paths, boolean all, DiffTargets targets) {
    this.paths = paths;
    this.all = all;
    this.targets = targets;
  }

  static TouchedPaths of(List<UpdatePath> updatePaths) {
    List<String> written = updatePaths.stream().map(UpdatePath::dotted).toList();
    return new TouchedPaths(NONE.and(written).paths, false, new DiffTargets(written));
  }

  /** The paths as they were written, for the difference that the update makes. */
  public DiffTargets targets() {
    return targets;
  }

  /** These and more paths. */
  TouchedPaths and(List<String> morePaths) {
    if (all || morePaths.isEmpty()) {
      return this;
    }
    var union = new ArrayList<>(paths);
    for (String path : morePaths) {
      String canonical = withoutPositions(path);
      if (!union.contains(canonical)) {
        union.add(canonical);
      }
    }
    return new TouchedPaths(Collections.unmodifiableList(union), false, targets);
  }

  public boolean isAll() {
    return all;
  }

  /** The paths, without array positions; empty where {@link #isAll()}. */
  public List<String> paths() {
    return paths;
  }

  /** Whether a value at or below or above the path may have changed. */
  public boolean mayAffect(String indexedPath) {
    if (all) {
      return true;
    }
    if (paths.isEmpty()) {
      return false;
    }
    String canonical = withoutPositions(indexedPath);
    for (String path : paths) {
      if (isPrefix(path, canonical) || isPrefix(canonical, path)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPrefix(String prefix, String path) {
    return path.startsWith(prefix)
        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '.');
  }

  /**
   * The first component is always a name, even where it consists of digits. Of two positions in a
   * row the second may be a name in an element of an array, where it can be taken for a position:
   * that concerns all indexes on the array.
   */
  private static String withoutPositions(String dotted) {
    int dot = dotted.indexOf('.');
    if (dot < 0) {
      return dotted;
    }
    var kept = new StringBuilder(dotted.length()).append(dotted, 0, dot);
    boolean afterPosition = false;
    while (dot >= 0) {
      int from = dot + 1;
      dot = dotted.indexOf('.', from);
      int to = dot < 0 ? dotted.length() : dot;
      boolean position = isPosition(dotted, from, to);
      if (position && afterPosition) {
        break;
      }
      if (!position) {
        kept.append('.').append(dotted, from, to);
      }
      afterPosition = position;
    }
    return kept.toString();
  }

  private static boolean isPosition(String dotted, int from, int to) {
    if (from < to && dotted.charAt(from) == '$') {
      return to - from == 1 || (dotted.charAt(from + 1) == '[' && dotted.charAt(to - 1) == ']');
    }
    for (int i = from; i < to; i++) {
      if (dotted.charAt(i) < '0' || dotted.charAt(i) > '9') {
        return false;
      }
    }
    return from < to;
  }

  @Override
  public String toString() {
    return all ? "all" : paths.toString();
  }
}
