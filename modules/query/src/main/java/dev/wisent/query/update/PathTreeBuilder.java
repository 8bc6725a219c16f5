package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.query.update.element.FieldName;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Collects the paths of an update into a tree and refuses those that get in each other's way. */
final class PathTreeBuilder {
  private final Branch root = new Branch();
  private final Map<String, ElementCondition> arrayFilters;
  private Set<String> usedIdentifiers = Set.of();

  PathTreeBuilder(Map<String, ElementCondition> arrayFilters) {
    this.arrayFilters = arrayFilters;
  }

  Branch root() {
    return root;
  }

  Set<String> usedIdentifiers() {
    return usedIdentifiers;
  }

  void add(UpdatePath path, PathNode.Leaf leaf) {
    PathNode current = root;
    for (int i = 0; i < path.size() - 1; i++) {
      PathNode child = child(current, path, i);
      boolean arrayNext = UpdatePath.isArrayFilter(path.part(i + 1));
      if (child == null) {
        child = arrayNext ? new ArrayBranch() : new Branch();
        put(current, path.part(i), child);
      } else if (arrayNext ? !(child instanceof ArrayBranch) : !(child instanceof Branch)) {
        throw conflict(path, path.prefix(i + 1));
      }
      current = child;
    }
    if (child(current, path, path.size() - 1) != null) {
      throw conflict(path, path.dotted());
    }
    put(current, path.last(), leaf);
  }

  private PathNode child(PathNode parent, UpdatePath path, int i) {
    FieldName part = path.part(i);
    if (UpdatePath.isArrayFilter(part)) {
      checkIdentifier(path, i);
    }
    return switch (parent) {
      case Branch branch -> branch.get(part);
      case ArrayBranch array -> array.get(UpdatePath.identifier(part));
      case PathNode.Leaf _ -> throw new IllegalStateException("a leaf has no children");
    };
  }

  private void put(PathNode parent, FieldName part, PathNode node) {
    switch (parent) {
      case Branch branch -> branch.put(part, node);
      case ArrayBranch array -> {
        String identifier = UpdatePath.identifier(part);
        var filter = identifier.isEmpty() ? ElementCondition.ANY : arrayFilters.get(identifier);
        array.put(identifier, filter, node);
      }
      case PathNode.Leaf _ -> throw new IllegalStateException("a leaf has no children");
    }
  }

  private void checkIdentifier(UpdatePath path, int i) {
    if (i == 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in"
              + " path '"
              + path.dotted()
              + "'");
    }
    String identifier = UpdatePath.identifier(path.part(i));
    if (identifier.isEmpty()) {
      return;
    }
    if (!arrayFilters.containsKey(identifier)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "No array filter found for identifier '"
              + identifier
              + "' in path '"
              + path.dotted()
              + "'");
    }
    if (usedIdentifiers.isEmpty()) {
      usedIdentifiers = new HashSet<>();
    }
    usedIdentifiers.add(identifier);
  }

  private static CommandException conflict(UpdatePath path, String at) {
    return new CommandException(
        ErrorCode.CONFLICTING_UPDATE_OPERATORS,
        "Updating the path '" + path.dotted() + "' would create a conflict at '" + at + "'");
  }
}
