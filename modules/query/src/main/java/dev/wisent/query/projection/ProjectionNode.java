package dev.wisent.query.projection;

import dev.wisent.bson.ElementCursor;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The fields that a projection names at one level, with what to do about each. */
final class ProjectionNode {
  private final NameIndex names;
  private final FieldAction[] steps;
  private final boolean computed;

  ProjectionNode(Map<String, FieldAction> fields) {
    names = new NameIndex(fields.keySet());
    steps = fields.values().toArray(FieldAction[]::new);
    computed = fields.values().stream().anyMatch(ProjectionNode::isComputed);
  }

  private static boolean isComputed(FieldAction step) {
    return step instanceof FieldAction.Computed
        || (step instanceof FieldAction.Inside inside && inside.node().hasComputed());
  }

  /** Whether fields here or below are computed, which makes documents of what is none. */
  boolean hasComputed() {
    return computed;
  }

  int size() {
    return steps.length;
  }

  FieldAction step(int i) {
    return steps[i];
  }

  byte[] name(int i) {
    return names.name(i);
  }

  String nameText(int i) {
    return new String(names.name(i), StandardCharsets.UTF_8);
  }

  /** The position of the field that the cursor stands on, or -1. */
  int find(ElementCursor cursor) {
    return names.find(cursor);
  }
}
