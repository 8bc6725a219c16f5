package dev.wisent.query.diff;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The paths that an update was written for. A difference goes down to them, and tells nothing of
 * what is inside of a document that was written as a whole. Thread-safe.
 */
public final class DiffTargets {
  /** Nothing is known of them. */
  public static final DiffTargets UNKNOWN = new DiffTargets(List.of());

  private final List<String> paths;
  private volatile Node root;

  /**
   * @param paths dotted, where a part may stand for any element of an array: {@code $}, {@code
   *     $[]}, {@code $[name]}
   */
  public DiffTargets(List<String> paths) {
    this.paths = paths;
  }

  Node root() {
    Node built = root;
    if (built == null) {
      built = new Node();
      for (String path : paths) {
        built.add(path);
      }
      root = built;
    }
    return built;
  }

  /** A place on the way to paths. */
  static final class Node {
    private final Map<String, Node> children = new HashMap<>(4);
    private Node anyElement;
    private boolean end;

    private void add(String path) {
      int dot = path.indexOf('.');
      Node next = next(dot < 0 ? path : path.substring(0, dot));
      if (dot < 0) {
        next.end = true;
      } else {
        next.add(path.substring(dot + 1));
      }
    }

    private Node next(String part) {
      if (part.startsWith("$")) {
        anyElement = anyElement == null ? new Node() : anyElement;
        return anyElement;
      }
      return children.computeIfAbsent(part, name -> new Node());
    }

    /** Null where no path leads. */
    Node child(String name) {
      Node child = children.get(name);
      return child == null ? anyElement : child;
    }

    /** Whether a path goes on from here. */
    boolean leadsOn() {
      return anyElement != null || !children.isEmpty();
    }

    /** Whether a path ends here, and none goes on. */
    boolean isEnd() {
      return end && !leadsOn();
    }
  }
}
