package dev.wisent.conformance.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Increments of counters by clients that each wait for the answer. A counter document keeps the sum
 * for each client apart, so that one's unknown outcomes do not hide another's errors. Thread-safe.
 */
final class CounterHistory {

  /** One client's increments of one counter. */
  private static final class Tally {
    long acknowledged;
    long unknown;
  }

  private final Map<String, Tally> tallies = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private long total;

  /** An increment was acknowledged. */
  synchronized void acknowledged(String counter, String client) {
    tally(counter, client).acknowledged++;
    total++;
  }

  /** An increment was sent, and its outcome is unknown. */
  synchronized void unknown(String counter, String client) {
    tally(counter, client).unknown++;
  }

  /**
   * An increment was acknowledged together with the client's sum after it. It includes itself and
   * all that were acknowledged before; and nothing that was never sent.
   */
  synchronized void acknowledged(String counter, String client, long sum) {
    acknowledged(counter, client);
    checkSum("answer to " + client, counter, client, sum);
  }

  private void checkSum(String source, String counter, String client, long sum) {
    Tally tally = tally(counter, client);
    long most = tally.acknowledged + tally.unknown;
    if (sum < tally.acknowledged || sum > most) {
      violations.add(
          "%s: %s of %s is %d, expected %d to %d"
              .formatted(source, counter, client, sum, tally.acknowledged, most));
    }
  }

  private Tally tally(String counter, String client) {
    return tallies.computeIfAbsent(counter + "/" + client, key -> new Tally());
  }

  synchronized long acknowledgedCount() {
    return total;
  }

  synchronized long unknownCount() {
    return tallies.values().stream().mapToLong(tally -> tally.unknown).sum();
  }

  /**
   * What is wrong with the counters that a member has in the end.
   *
   * @param sums by counter, then by client
   * @param totals the sum over all clients that each counter keeps too
   */
  synchronized List<String> check(
      String member, Map<String, Map<String, Long>> sums, Map<String, Long> totals) {
    int before = violations.size();
    for (String key : List.copyOf(tallies.keySet())) {
      String[] parts = key.split("/", 2);
      long sum = sums.getOrDefault(parts[0], Map.of()).getOrDefault(parts[1], 0L);
      checkSum(member, parts[0], parts[1], sum);
    }
    sums.forEach(
        (counter, byClient) -> {
          long sum = byClient.values().stream().mapToLong(Long::longValue).sum();
          if (totals.getOrDefault(counter, 0L) != sum) {
            violations.add(
                "%s: %s has a total of %s, but %d over its clients"
                    .formatted(member, counter, totals.get(counter), sum));
          }
        });
    List<String> wrong = List.copyOf(violations);
    // Each member is checked by itself: what is wrong with one is not the next one's fault.
    violations.subList(before, violations.size()).clear();
    return wrong;
  }
}
