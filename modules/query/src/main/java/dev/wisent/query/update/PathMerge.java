package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * Joins the updates that turn out to concern the same array element: {@code a.0} with {@code a.$},
 * or two filters that both match it. Whether they get on is known only with the document.
 */
final class PathMerge {
  private PathMerge() {}

  static PathNode merge(PathNode a, PathNode b, String path) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    if (a instanceof Branch left && b instanceof Branch right) {
      return mergeBranches(left, right, path);
    }
    if (a instanceof ArrayBranch left && b instanceof ArrayBranch right) {
      return mergeArrayBranches(left, right, path);
    }
    throw new CommandException(
        ErrorCode.CONFLICTING_UPDATE_OPERATORS, "Update created a conflict at '" + path + "'");
  }

  private static Branch mergeBranches(Branch a, Branch b, String path) {
    var merged = new Branch();
    for (Branch.Child child : a.children()) {
      merged.put(child.name(), child.node());
    }
    for (Branch.Child child : b.children()) {
      var name = child.name();
      merged.put(name, merge(merged.get(name), child.node(), path + '.' + name.text()));
    }
    PathNode positional = merge(a.positional(), b.positional(), path + ".$");
    merged.putPositional(positional);
    return merged;
  }

  private static ArrayBranch mergeArrayBranches(ArrayBranch a, ArrayBranch b, String path) {
    var merged = new ArrayBranch();
    for (ArrayBranch.Choice choice : a.choices()) {
      merged.put(choice.identifier(), choice.filter(), choice.node());
    }
    for (ArrayBranch.Choice choice : b.choices()) {
      String id = choice.identifier();
      PathNode node = merge(merged.get(id), choice.node(), path + ".$[" + id + ']');
      merged.put(id, choice.filter(), node);
    }
    return merged;
  }
}
