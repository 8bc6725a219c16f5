package dev.wisent.conformance.transaction;

import dev.wisent.conformance.transaction.DependencyGraph.Edge;
import dev.wisent.conformance.transaction.DependencyGraph.Kind;
import dev.wisent.conformance.transaction.ListOperation.Append;
import dev.wisent.conformance.transaction.ListOperation.Read;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Transactions that read lists and append values to them. Every value is appended once, so that a
 * list shows the order of its writers, and what a read depends on is known. Thread-safe.
 *
 * <p>{@link #check} looks for Adya's anomalies: dirty writes (G0), reads of aborted (G1a) and
 * intermediate (G1b) values, circular information flow (G1c), and cycles that snapshot isolation
 * excludes (G-single). Write skew is allowed, and noted.
 */
final class ListAppendHistory {

  private static final int EXAMPLES_MAX = 10;

  private final List<ListTransaction> transactions = new ArrayList<>();

  synchronized void add(ListTransaction transaction) {
    transactions.add(transaction);
  }

  synchronized long committedCount() {
    return transactions.stream().filter(t -> t.outcome() == Outcome.COMMITTED).count();
  }

  synchronized String summary() {
    return "lists "
        + transactions.stream()
            .collect(Collectors.groupingBy(ListTransaction::outcome, Collectors.counting()));
  }

  /**
   * What is wrong.
   *
   * @param finalLists what each list holds in the end
   */
  synchronized List<String> check(Map<String, List<Long>> finalLists) {
    return new Check(finalLists).run();
  }

  /** Whether the transactions have a cycle, none of which {@link #check} complains about. */
  synchronized boolean hasWriteSkew(Map<String, List<Long>> finalLists) {
    Check check = new Check(finalLists);
    return check.graph().cycle(EnumSet.allOf(Kind.class)).isPresent();
  }

  /** One look at the whole history. */
  private final class Check {
    private final Map<String, List<Long>> finalLists;
    private final Map<Long, String> visible = new HashMap<>();
    private final Map<Long, Integer> writers = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();

    Check(Map<String, List<Long>> finalLists) {
      this.finalLists = finalLists;
      finalLists.forEach((key, values) -> values.forEach(value -> visible.put(value, key)));
      for (int i = 0; i < transactions.size(); i++) {
        int writer = i;
        transactions.get(i).appends().forEach(append -> writers.put(append.value(), writer));
      }
    }

    List<String> run() {
      finalLists.forEach(this::checkList);
      transactions.forEach(this::checkWhole);
      for (ListTransaction transaction : transactions) {
        if (happened(transaction)) {
          checkReads(transaction);
        }
      }
      // The order of writers is only known where all reads agree on it.
      if (wrong.isEmpty()) {
        checkCycles();
      }
      return wrong.subList(0, Math.min(wrong.size(), EXAMPLES_MAX));
    }

    private boolean happened(ListTransaction transaction) {
      return switch (transaction.outcome()) {
        case COMMITTED -> true;
        case ABORTED -> false;
        case UNKNOWN -> transaction.appends().anyMatch(this::isThere);
      };
    }

    private void checkList(String key, List<Long> values) {
      if (new HashSet<>(values).size() != values.size()) {
        wrong.add("a value is twice in %s: %s".formatted(key, values));
      }
      for (long value : values) {
        if (!writers.containsKey(value)) {
          wrong.add("%s has %d, which was never appended".formatted(key, value));
        }
      }
    }

    /** All of a transaction is there in the end, or nothing. */
    private void checkWhole(ListTransaction transaction) {
      List<Append> missing = transaction.appends().filter(a -> !isThere(a)).toList();
      long all = transaction.appends().count();
      switch (transaction.outcome()) {
        case COMMITTED -> {
          if (!missing.isEmpty()) {
            wrong.add("lost: %s of %s".formatted(missing, transaction));
          }
        }
        case ABORTED -> {
          if (missing.size() < all) {
            wrong.add("an aborted transaction is there: " + transaction);
          }
        }
        case UNKNOWN -> {
          if (!missing.isEmpty() && missing.size() < all) {
            wrong.add("a part is missing: %s of %s".formatted(missing, transaction));
          }
        }
      }
    }

    private boolean isThere(Append append) {
      return append.key().equals(visible.get(append.value()));
    }

    /** Each read by itself, and the reads of a transaction among each other. */
    private void checkReads(ListTransaction transaction) {
      Map<String, List<Long>> seen = new HashMap<>();
      for (ExternalRead read : ExternalRead.of(transaction)) {
        if (read.values().isEmpty()) {
          wrong.add("internal: its own appends are not in %s of %s".formatted(read, transaction));
          continue;
        }
        List<Long> values = read.values().get();
        List<Long> before = seen.putIfAbsent(read.key(), values);
        if (before != null && !before.equals(values)) {
          wrong.add("internal: %s changed in %s".formatted(read.key(), transaction));
        }
        checkRead(transaction, read.key(), values);
      }
    }

    private void checkRead(ListTransaction transaction, String key, List<Long> values) {
      for (long value : values) {
        Integer writer = writers.get(value);
        if (writer == null) {
          wrong.add("%d was never appended: %s".formatted(value, transaction));
        } else if (transactions.get(writer).outcome() == Outcome.ABORTED) {
          wrong.add("G1a: read of %s by %s".formatted(transactions.get(writer), transaction));
        }
      }
      if (!values.isEmpty() && writers.containsKey(values.getLast())) {
        ListTransaction writer = transactions.get(writers.get(values.getLast()));
        long last =
            writer
                .appends()
                .filter(a -> a.key().equals(key))
                .mapToLong(Append::value)
                .reduce(0, (a, b) -> b);
        if (last != values.getLast()) {
          wrong.add("G1b: read of a part of %s by %s".formatted(writer, transaction));
        }
      }
      List<Long> order = finalLists.getOrDefault(key, List.of());
      if (values.size() > order.size() || !order.subList(0, values.size()).equals(values)) {
        wrong.add("%s is %s in the end, but was seen by %s".formatted(key, order, transaction));
      }
    }

    private void checkCycles() {
      DependencyGraph graph = graph();
      Optional<List<Edge>> cycle = graph.cycle(EnumSet.of(Kind.WRITE_WRITE));
      if (cycle.isPresent()) {
        wrong.add("G0: " + text(cycle.get()));
        return;
      }
      cycle = graph.cycle(EnumSet.of(Kind.WRITE_WRITE, Kind.WRITE_READ));
      if (cycle.isPresent()) {
        wrong.add("G1c: " + text(cycle.get()));
        return;
      }
      cycle = graph.cycleWithoutAdjacentReadWrite();
      if (cycle.isPresent()) {
        long readWrites = cycle.get().stream().filter(e -> e.kind() == Kind.READ_WRITE).count();
        String name = readWrites == 1 ? "G-single" : "G-nonadjacent";
        wrong.add(name + ": " + text(cycle.get()));
      }
    }

    DependencyGraph graph() {
      DependencyGraph graph = new DependencyGraph(transactions.size());
      for (List<Long> order : finalLists.values()) {
        for (int i = 1; i < order.size(); i++) {
          graph.add(writers.get(order.get(i - 1)), writers.get(order.get(i)), Kind.WRITE_WRITE);
        }
      }
      for (int reader = 0; reader < transactions.size(); reader++) {
        if (happened(transactions.get(reader))) {
          for (ExternalRead read : ExternalRead.of(transactions.get(reader))) {
            addRead(graph, reader, read.key(), read.values().orElseThrow());
          }
        }
      }
      return graph;
    }

    private void addRead(DependencyGraph graph, int reader, String key, List<Long> values) {
      List<Long> order = finalLists.getOrDefault(key, List.of());
      if (!values.isEmpty()) {
        graph.add(writers.get(values.getLast()), reader, Kind.WRITE_READ);
      }
      if (values.size() < order.size()) {
        graph.add(reader, writers.get(order.get(values.size())), Kind.READ_WRITE);
      }
    }

    private String text(List<Edge> cycle) {
      return cycle.stream()
          .map(edge -> transactions.get(edge.from()) + "\n  -" + edge.kind() + "->")
          .collect(Collectors.joining("\n  ", "\n  ", " the first"));
    }
  }

  /**
   * A read without what its own transaction had appended before.
   *
   * @param values empty where the own appends are not at the end of what was read
   */
  private record ExternalRead(String key, Optional<List<Long>> values) {

    static List<ExternalRead> of(ListTransaction transaction) {
      Map<String, List<Long>> own = new HashMap<>();
      List<ExternalRead> reads = new ArrayList<>();
      for (ListOperation operation : transaction.operations()) {
        List<Long> appended = own.computeIfAbsent(operation.key(), key -> new ArrayList<>());
        switch (operation) {
          case Append append -> appended.add(append.value());
          case Read read -> {
            int external = read.values().size() - appended.size();
            boolean ownLast =
                external >= 0
                    && read.values().subList(external, read.values().size()).equals(appended);
            reads.add(
                new ExternalRead(
                    read.key(),
                    ownLast ? Optional.of(read.values().subList(0, external)) : Optional.empty()));
          }
        }
      }
      return reads;
    }
  }
}
