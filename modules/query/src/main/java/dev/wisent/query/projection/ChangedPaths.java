package dev.wisent.query.projection;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which paths of a document a projection keeps or changes, for those who want to move filters past
 * it.
 */
public final class ChangedPaths {
  private final Set<String> paths = new LinkedHashSet<>();
  private final Map<String, String> renames = new LinkedHashMap<>();

  private ChangedPaths() {}

  /** What an inclusion keeps as it is, or what an exclusion changes. */
  static ChangedPaths of(ProjectionNode root, boolean inclusion, ComputedFields computed) {
    var changed = new ChangedPaths();
    if (inclusion) {
      changed.addKept(root, "");
    } else {
      changed.addChanged(root, "");
    }
    if (computed != null) {
      computed.collectRenames(changed.renames);
    }
    return changed;
  }

  /** What computed fields change. */
  static ChangedPaths of(ComputedFields computed) {
    var changed = new ChangedPaths();
    computed.collectPaths("", changed.paths);
    computed.collectRenames(changed.renames);
    return changed;
  }

  /** Beside a computed field nothing keeps its shape: what is no document becomes one. */
  private void addKept(ProjectionNode node, String prefix) {
    for (int i = 0; i < node.size(); i++) {
      if (node.step(i) instanceof FieldAction.Keep) {
        paths.add(prefix + node.nameText(i));
      } else if (node.step(i) instanceof FieldAction.Inside inside
          && !inside.node().hasComputed()) {
        addKept(inside.node(), prefix + node.nameText(i) + ".");
      }
    }
  }

  private void addChanged(ProjectionNode node, String prefix) {
    for (int i = 0; i < node.size(); i++) {
      if (node.step(i) instanceof FieldAction.Inside inside) {
        addChanged(inside.node(), prefix + node.nameText(i) + ".");
      } else {
        paths.add(prefix + node.nameText(i));
      }
    }
  }

  /** Dotted. */
  public Set<String> paths() {
    return Collections.unmodifiableSet(paths);
  }

  /** Top-level fields that hold what another one held before: new name to old name. */
  public Map<String, String> renames() {
    return Collections.unmodifiableMap(renames);
  }
}
