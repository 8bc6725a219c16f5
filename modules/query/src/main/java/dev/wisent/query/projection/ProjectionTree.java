package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The tree of projected fields while it grows. */
final class ProjectionTree {
  /** What stands under a name: a step, or more names. */
  private sealed interface Entry {}

  private record Leaf(FieldAction step) implements Entry {}

  private record Branch(ProjectionTree tree) implements Entry {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** Puts a step at a path; two steps must not meet. */
  void add(FieldPath path, FieldAction step) {
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

  /** A path in the tree that cannot be there together with another one. */
  String pathBeside(String path) {
    var paths = new ArrayList<String>();
    collectPaths("", paths);
    return paths.stream()
        .filter(each -> (each + ".").startsWith(path + ".") || (path + ".").startsWith(each + "."))
        .findFirst()
        .orElse(path);
  }

  private void collectPaths(String prefix, List<String> paths) {
    entries.forEach(
        (name, entry) -> {
          switch (entry) {
            case Leaf ignored -> paths.add(prefix + name);
            case Branch(ProjectionTree tree) -> tree.collectPaths(prefix + name + ".", paths);
          }
        });
  }

  void remove(String name) {
    entries.remove(name);
  }

  /** The finished tree. */
  ProjectionNode toNode() {
    var steps = new LinkedHashMap<String, FieldAction>();
    entries.forEach((name, entry) -> steps.put(name, toStep(entry)));
    return new ProjectionNode(steps);
  }

  private static FieldAction toStep(Entry entry) {
    return switch (entry) {
      case Leaf(FieldAction step) -> step;
      case Branch(ProjectionTree tree) ->
          new FieldAction.Inside(tree.toNode(), tree.hasPositional());
    };
  }

  private boolean hasPositional() {
    return entries.values().stream()
        .anyMatch(
            entry ->
                switch (entry) {
                  case Leaf(FieldAction step) -> step instanceof FieldAction.Positional;
                  case Branch(ProjectionTree tree) -> tree.hasPositional();
                });
  }

  /** Collects what the result depends on: the paths of all fields that are not left out. */
  void addDependencies(String prefix, Dependencies dependencies) {
    entries.forEach(
        (name, entry) -> {
          switch (entry) {
            case Leaf(FieldAction.Drop()) -> {}
            case Leaf(FieldAction.Computed(Expression expression)) -> {
              expression.addDependencies(dependencies);
              if (!prefix.isEmpty()) {
                // What is there decides whether the field is added to it or takes its place.
                dependencies.addPath(prefix.substring(0, prefix.length() - 1));
              }
            }
            case Leaf ignored -> dependencies.addPath(prefix + name);
            case Branch(ProjectionTree tree) ->
                tree.addDependencies(prefix + name + ".", dependencies);
          }
        });
  }

  /**
   * The computed fields; null where there are none.
   *
   * @param optimizer computes in advance what can be
   */
  ComputedFields computed(UnaryOperator<Expression> optimizer) {
    var fields = new LinkedHashMap<String, ComputedFields.Entry>();
    for (Map.Entry<String, Entry> entry : entries.entrySet()) {
      switch (entry.getValue()) {
        case Leaf(FieldAction.Computed(Expression expression)) ->
            fields.put(entry.getKey(), new ComputedFields.Value(optimizer.apply(expression)));
        case Leaf ignored -> {}
        case Branch(ProjectionTree tree) -> {
          ComputedFields below = tree.computed(optimizer);
          if (below != null) {
            fields.put(entry.getKey(), new ComputedFields.Below(below));
          }
        }
      }
    }
    return fields.isEmpty() ? null : new ComputedFields(fields);
  }
}
