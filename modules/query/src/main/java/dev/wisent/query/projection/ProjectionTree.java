package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.query.path.FieldPath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The tree of projected fields while it grows. */
final class ProjectionTree {
  /** What stands under a name: a step, or more names. */
  private sealed interface Entry {}

  private record Leaf(Step step) implements Entry {}

  private record Branch(ProjectionTree tree) implements Entry {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** Puts a step at a path; two steps must not meet. */
  void add(FieldPath path, Step step) {
    ProjectionTree tree = this;
    for (int i = 0; i < path.length() - 1; i++) {
      tree = tree.branch(path, i);
    }
    tree.put(path, new Leaf(step));
  }

  /** The tree below a path, which is made where there is none. */
  ProjectionTree below(FieldPath path) {
    ProjectionTree tree = this;
    for (int i = 0; i < path.length() - 1; i++) {
      tree = tree.branch(path, i);
    }
    if (tree.entries.get(path.name(path.length() - 1)) instanceof Branch(ProjectionTree existing)) {
      return existing;
    }
    var below = new ProjectionTree();
    tree.put(path, new Branch(below));
    return below;
  }

  private ProjectionTree branch(FieldPath path, int part) {
    Entry entry =
        entries.computeIfAbsent(path.name(part), name -> new Branch(new ProjectionTree()));
    if (entry instanceof Branch(ProjectionTree tree)) {
      return tree;
    }
    throw new CommandException(
        ErrorCode.PROJECTION_PATH_COLLISION_BELOW,
        "Path collision at " + path + " remaining portion " + path.tail());
  }

  private void put(FieldPath path, Entry entry) {
    if (entries.putIfAbsent(path.name(path.length() - 1), entry) != null) {
      throw new CommandException(ErrorCode.PROJECTION_PATH_COLLISION, "Path collision at " + path);
    }
  }

  void remove(String name) {
    entries.remove(name);
  }

  /** The finished tree. */
  ProjectionNode toNode() {
    var steps = new LinkedHashMap<String, Step>();
    entries.forEach((name, entry) -> steps.put(name, toStep(entry)));
    return new ProjectionNode(steps);
  }

  private static Step toStep(Entry entry) {
    return switch (entry) {
      case Leaf(Step step) -> step;
      case Branch(ProjectionTree tree) -> new Step.Inside(tree.toNode(), tree.hasPositional());
    };
  }

  private boolean hasPositional() {
    return entries.values().stream()
        .anyMatch(
            entry ->
                switch (entry) {
                  case Leaf(Step step) -> step instanceof Step.Positional;
                  case Branch(ProjectionTree tree) -> tree.hasPositional();
                });
  }

  /** Collects the paths of all fields that are not left out. */
  void collectPaths(String prefix, Set<String> paths) {
    entries.forEach(
        (name, entry) -> {
          switch (entry) {
            case Leaf(Step step) -> {
              if (!(step instanceof Step.Drop)) {
                paths.add(prefix + name);
              }
            }
            case Branch(ProjectionTree tree) -> tree.collectPaths(prefix + name + ".", paths);
          }
        });
  }
}
