package dev.wisent.query.update;

/**
 * The paths of one update as a tree, so that operators on the same part of a document are applied
 * together and conflicts between them show. Immutable once the update is parsed.
 */
sealed interface PathNode permits Branch, ArrayBranch, PathNode.Leaf {
  /** The end of a path. */
  sealed interface Leaf extends PathNode {}

  /** An operator on one field. */
  record FieldLeaf(FieldOperator operator) implements Leaf {}

  /** The target of a {@code $rename}. */
  record RenameLeaf(RenameUpdate rename) implements Leaf {}

  /** The source of a {@code $rename}: nothing else may touch it; the target does the work. */
  record RenameSource() implements Leaf {}
}
