package dev.wisent.conformance.transaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Transactions that each insert a document of their own: it is there once if the transaction was
 * committed, however often the commit was sent, and not at all if it was aborted. Thread-safe.
 */
final class CommitHistory {

  private static final int EXAMPLES_MAX = 10;

  private final String what;
  private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
  private final List<String> violations = new ArrayList<>();

  CommitHistory(String what) {
    this.what = what;
  }

  /** Before the transaction is tried: until its end is known, it may be there or not. */
  void begins(String id) {
    outcomes.put(id, Outcome.UNKNOWN);
  }

  void ended(String id, Outcome outcome) {
    outcomes.put(id, outcome);
  }

  /** The answer to a commit contradicts the answer before. */
  synchronized void contradicted(String id, Throwable answer) {
    violations.add(what + " " + id + " was committed, and then: " + answer);
  }

  /** A transaction met a document of its own earlier attempt, which was said to be undone. */
  synchronized void metItself(String id) {
    violations.add(what + " " + id + " met itself: an attempt that failed had an effect");
  }

  long committedCount() {
    return outcomes.values().stream().filter(o -> o == Outcome.COMMITTED).count();
  }

  String summary() {
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    outcomes.values().forEach(outcome -> counts.merge(outcome, 1, Integer::sum));
    return what + " " + counts;
  }

  /** What is wrong with the documents that a member has in the end. */
  synchronized List<String> check(String member, Collection<String> found) {
    List<String> wrong = new ArrayList<>(violations);
    Set<String> different = new HashSet<>(found);
    if (different.size() != found.size()) {
      wrong.add(member + " has a " + what + " twice");
    }
    add(wrong, member + " lost committed", Outcome.COMMITTED, id -> !different.contains(id));
    add(wrong, member + " has aborted", Outcome.ABORTED, different::contains);
    List<String> unknown = different.stream().filter(id -> !outcomes.containsKey(id)).toList();
    if (!unknown.isEmpty()) {
      wrong.add(member + " has a " + what + " that was never sent: " + some(unknown));
    }
    return wrong;
  }

  private void add(
      List<String> wrong, String complaint, Outcome outcome, Predicate<String> isWrong) {
    List<String> ids =
        outcomes.entrySet().stream()
            .filter(entry -> entry.getValue() == outcome && isWrong.test(entry.getKey()))
            .map(Map.Entry::getKey)
            .toList();
    if (!ids.isEmpty()) {
      wrong.add("%s %s: %d, %s".formatted(complaint, what, ids.size(), some(ids)));
    }
  }

  private static List<String> some(List<String> ids) {
    return ids.stream().sorted().limit(EXAMPLES_MAX).toList();
  }
}
