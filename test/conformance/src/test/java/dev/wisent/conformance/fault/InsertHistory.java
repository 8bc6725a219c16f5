package dev.wisent.conformance.fault;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Documents that were inserted once each. Thread-safe. */
final class InsertHistory {

  private static final int EXAMPLES_MAX = 10;

  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final List<String> violations = new ArrayList<>();

  void sent(String id) {
    sent.add(id);
  }

  void acknowledged(String id) {
    acknowledged.add(id);
  }

  /** The insert was refused because the id is there already, although it was sent only once. */
  synchronized void duplicate(String id) {
    violations.add("insert of " + id + " met itself: its retry was taken for a second insert");
  }

  int acknowledgedCount() {
    return acknowledged.size();
  }

  /** What is wrong with the documents that a member has in the end. */
  synchronized List<String> check(String member, Collection<String> found) {
    List<String> wrong = new ArrayList<>(violations);
    Set<String> different = new HashSet<>(found);
    Set<String> lost = new HashSet<>(acknowledged);
    lost.removeAll(different);
    if (!lost.isEmpty()) {
      wrong.add("%s lost %d acknowledged inserts: %s".formatted(member, lost.size(), some(lost)));
    }
    Set<String> unknown = new HashSet<>(different);
    unknown.removeAll(sent);
    if (!unknown.isEmpty()) {
      wrong.add("%s has documents that nobody sent: %s".formatted(member, some(unknown)));
    }
    if (different.size() != found.size()) {
      wrong.add(member + " has a document twice");
    }
    return wrong;
  }

  private static List<String> some(Set<String> ids) {
    return ids.stream().sorted().limit(EXAMPLES_MAX).toList();
  }
}
