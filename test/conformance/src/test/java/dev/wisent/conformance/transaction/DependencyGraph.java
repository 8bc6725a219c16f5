package dev.wisent.conformance.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which transaction has to come before which, after Adya: the nodes are transactions, and each edge
 * says why. A cycle is an anomaly; the kinds of its edges say which one.
 */
final class DependencyGraph {

  /** Why one transaction comes before another. */
  enum Kind {
    /** The second overwrote what the first wrote. */
    WRITE_WRITE,
    /** The second read what the first wrote. */
    WRITE_READ,
    /** The second overwrote what the first read. */
    READ_WRITE
  }

  /** An edge of the graph. */
  record Edge(int from, int to, Kind kind) {}

  /** How many cycles are compared: the search is for a short one, not for the shortest. */
  private static final int CYCLES_MAX = 200;

  private final List<List<Edge>> edges = new ArrayList<>();

  DependencyGraph(int nodes) {
    for (int i = 0; i < nodes; i++) {
      edges.add(new ArrayList<>());
    }
  }

  void add(int from, int to, Kind kind) {
    if (from != to) {
      edges.get(from).add(new Edge(from, to, kind));
    }
  }

  /** A cycle of edges of these kinds. */
  Optional<List<Edge>> cycle(EnumSet<Kind> kinds) {
    return shortestIn(new Walk(kinds, false));
  }

  /**
   * A cycle in which no {@link Kind#READ_WRITE} edge follows another one, and neither does the
   * first follow the last. Under snapshot isolation there is none; a cycle in which two follow each
   * other is write skew, which snapshot isolation allows.
   */
  Optional<List<Edge>> cycleWithoutAdjacentReadWrite() {
    return shortestIn(new Walk(EnumSet.allOf(Kind.class), true));
  }

  /**
   * The graph as a search sees it. Where READ_WRITE edges must not be adjacent, each transaction is
   * two states, 2n and 2n + 1: the second was reached by such an edge and is left by others only.
   */
  private final class Walk {
    private final Set<Kind> kinds;
    private final boolean apart;

    Walk(Set<Kind> kinds, boolean apart) {
      this.kinds = kinds;
      this.apart = apart;
    }

    int states() {
      return edges.size() * 2;
    }

    List<Edge> from(int state) {
      return edges.get(state / 2).stream()
          .filter(edge -> kinds.contains(edge.kind()))
          .filter(edge -> !(apart && state % 2 == 1 && edge.kind() == Kind.READ_WRITE))
          .toList();
    }

    int target(Edge edge) {
      return edge.to() * 2 + (apart && edge.kind() == Kind.READ_WRITE ? 1 : 0);
    }
  }

  /** The shortest cycle through one of the states that lie on cycles; not all are tried. */
  private static Optional<List<Edge>> shortestIn(Walk walk) {
    List<Edge> best = null;
    int tried = 0;
    for (int[] component : components(walk)) {
      BitSet inside = new BitSet();
      Arrays.stream(component).forEach(inside::set);
      for (int start : component) {
        List<Edge> cycle = shortestFrom(walk, start, inside);
        if (best == null || cycle.size() < best.size()) {
          best = cycle;
        }
        if (++tried == CYCLES_MAX) {
          return Optional.of(best);
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** The shortest way from a state back to itself inside its component, which has one. */
  private static List<Edge> shortestFrom(Walk walk, int start, BitSet inside) {
    Edge[] reachedBy = new Edge[walk.states()];
    int[] before = new int[walk.states()];
    Deque<Integer> queue = new ArrayDeque<>(List.of(start));
    while (true) {
      int state = queue.removeFirst();
      for (Edge edge : walk.from(state)) {
        int next = walk.target(edge);
        if (inside.get(next) && reachedBy[next] == null) {
          reachedBy[next] = edge;
          before[next] = state;
          if (next == start) {
            return path(start, reachedBy, before);
          }
          queue.addLast(next);
        }
      }
    }
  }

  private static List<Edge> path(int start, Edge[] reachedBy, int[] before) {
    Deque<Edge> path = new ArrayDeque<>();
    int state = start;
    do {
      path.addFirst(reachedBy[state]);
      state = before[state];
    } while (state != start);
    return List.copyOf(path);
  }

  /** The strongly connected components of more than one state. */
  private static List<int[]> components(Walk walk) {
    Components search = new Components(walk);
    for (int root = 0; root < walk.states(); root++) {
      search.from(root);
    }
    return search.found;
  }

  /** Tarjan's search, without recursion: a path may be as long as the history. */
  private static final class Components {
    private final Walk walk;
    private final int[] index;
    private final int[] low;
    private final BitSet onStack = new BitSet();
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final Deque<Visit> visits = new ArrayDeque<>();
    private final List<int[]> found = new ArrayList<>();
    private int counter;

    Components(Walk walk) {
      this.walk = walk;
      this.index = new int[walk.states()];
      this.low = new int[walk.states()];
    }

    void from(int root) {
      if (index[root] == 0) {
        enter(root);
      }
      while (!visits.isEmpty()) {
        Visit visit = visits.peek();
        if (visit.next == visit.edges.size()) {
          visits.pop();
          leave(visit.state);
          continue;
        }
        int target = walk.target(visit.edges.get(visit.next++));
        if (index[target] == 0) {
          enter(target);
        } else if (onStack.get(target)) {
          low[visit.state] = Math.min(low[visit.state], index[target]);
        }
      }
    }

    private void enter(int state) {
      counter++;
      index[state] = counter;
      low[state] = counter;
      stack.push(state);
      onStack.set(state);
      visits.push(new Visit(state, walk.from(state)));
    }

    private void leave(int state) {
      if (!visits.isEmpty()) {
        int parent = visits.peek().state;
        low[parent] = Math.min(low[parent], low[state]);
      }
      if (low[state] == index[state]) {
        int[] component = popComponent(state);
        if (component.length > 1) {
          found.add(component);
        }
      }
    }

    private int[] popComponent(int root) {
      List<Integer> component = new ArrayList<>();
      int state;
      do {
        state = stack.pop();
        onStack.clear(state);
        component.add(state);
      } while (state != root);
      return component.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  /** Where the search is at a state. */
  private static final class Visit {
    private final int state;
    private final List<Edge> edges;
    private int next;

    Visit(int state, List<Edge> edges) {
      this.state = state;
      this.edges = edges;
    }
  }
}
