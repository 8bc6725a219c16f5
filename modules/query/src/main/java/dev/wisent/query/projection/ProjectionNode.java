package dev.wisent.query.projection;

import dev.wisent.bson.ElementCursor;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The fields that a projection names at one level, with what to do about each. */
final class ProjectionNode {
  private final NameIndex names;
  private final Step[] steps;
  private final boolean computed;

  ProjectionNode(Map<String, Step> fields) {
    names = new NameIndex(fields.keySet());
    steps = fields.values().toArray(Step[]::new);
    computed = fields.values().stream().anyMatch(ProjectionNode::isComputed);
  }

  private static boolean isComputed(Step step) {
    return step instanceof Step.Computed
        || (step instanceof Step.Inside inside && inside.node().hasComputed());
  }

  /** Whether fields here or below are computed, which makes documents of what is none. */
  boolean hasComputed() {
    return computed;
  }

  int size() {
    return steps.length;
  }

  Step step(int i) {
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
