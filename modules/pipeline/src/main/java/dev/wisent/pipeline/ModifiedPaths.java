package dev.wisent.pipeline;

import java.util.Map;
import java.util.Set;

/**
 * Which fields of a document a stage may change, so that others can be moved past it.
 *
 * @param kind what the paths mean
 * @param paths dotted
 * @param renames fields that hold what another one held before, unchanged: new name to old name
 */
public record ModifiedPaths(Kind kind, Set<String> paths, Map<String, String> renames) {
  /** Documents come out as they went in. */
  public static final ModifiedPaths NONE = of(Set.of());

  /** Nothing is known. */
  public static final ModifiedPaths ALL = new ModifiedPaths(Kind.ALL, Set.of(), Map.of());

  /** What the paths mean. */
  public enum Kind {
    /** Just these are changed. */
    THESE,
    /** All but these are changed, or gone. */
    ALL_BUT,
    /** Everything may be changed. */
    ALL
  }

  public static ModifiedPaths of(Set<String> paths) {
    return new ModifiedPaths(Kind.THESE, Set.copyOf(paths), Map.of());
  }

  public static ModifiedPaths allBut(Set<String> paths) {
    return new ModifiedPaths(Kind.ALL_BUT, Set.copyOf(paths), Map.of());
  }

  public ModifiedPaths renaming(Map<String, String> newToOld) {
    return new ModifiedPaths(kind, paths, Map.copyOf(newToOld));
  }
}
