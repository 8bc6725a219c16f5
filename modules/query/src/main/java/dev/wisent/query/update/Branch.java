package dev.wisent.query.update;

import dev.wisent.query.update.element.FieldName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Updates to fields of a document or positions of an array, in the order of their names. */
final class Branch implements PathNode {
  record Child(FieldName name, PathNode node) {}

  private static final Comparator<Child> BY_NAME = Comparator.comparing(Child::name);

  private final List<Child> children = new ArrayList<>(4);
  private PathNode positional;

  /** The fields, without the positional one. */
  List<Child> children() {
    return children;
  }

  /** What is under {@code $}, or null. */
  PathNode positional() {
    return positional;
  }

  PathNode get(FieldName name) {
    if (UpdatePath.isPositional(name)) {
      return positional;
    }
    int at = find(name);
    return at < 0 ? null : children.get(at).node();
  }

  void put(FieldName name, PathNode node) {
    if (UpdatePath.isPositional(name)) {
      putPositional(node);
      return;
    }
    int at = find(name);
    if (at >= 0) {
      children.set(at, new Child(name, node));
    } else {
      children.add(-at - 1, new Child(name, node));
    }
  }

  void putPositional(PathNode node) {
    positional = node;
  }

  private int find(FieldName name) {
    return Collections.binarySearch(children, new Child(name, null), BY_NAME);
  }
}
