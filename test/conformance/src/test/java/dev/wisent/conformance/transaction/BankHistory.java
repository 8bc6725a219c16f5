package dev.wisent.conformance.transaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Accounts between which money is moved: whatever a reader sees at one time has the same sum. Each
 * transfer inserts a document into a ledger, so that the balances can be recomputed. Thread-safe.
 */
final class BankHistory {

  private static final int EXAMPLES_MAX = 10;

  /** A row of the ledger. */
  record Transfer(String id, String from, String to, long amount) {}

  private final Set<String> accounts;
  private final long initialBalance;
  private final CommitHistory transfers = new CommitHistory("transfers");
  private final List<String> violations = new ArrayList<>();
  private final AtomicLong reads = new AtomicLong();

  BankHistory(Set<String> accounts, long initialBalance) {
    this.accounts = Set.copyOf(accounts);
    this.initialBalance = initialBalance;
  }

  CommitHistory transfers() {
    return transfers;
  }

  /** All accounts were read at one time. */
  void read(String reader, Map<String, Long> balances) {
    reads.incrementAndGet();
    long sum = balances.values().stream().mapToLong(Long::longValue).sum();
    if (sum != initialBalance * accounts.size() || !balances.keySet().equals(accounts)) {
      synchronized (this) {
        violations.add("%s saw %d in %s".formatted(reader, sum, new TreeMap<>(balances)));
      }
    }
  }

  String summary() {
    return transfers.summary() + ", " + reads + " reads of all accounts";
  }

  /** What is wrong, given what a member has in the end. */
  synchronized List<String> check(
      String member, Map<String, Long> balances, Collection<Transfer> ledger) {
    List<String> wrong =
        new ArrayList<>(violations.subList(0, Math.min(violations.size(), EXAMPLES_MAX)));
    wrong.addAll(transfers.check(member, ledger.stream().map(Transfer::id).toList()));
    Map<String, Long> expected = new HashMap<>();
    accounts.forEach(account -> expected.put(account, initialBalance));
    for (Transfer transfer : ledger) {
      expected.merge(transfer.from(), -transfer.amount(), Long::sum);
      expected.merge(transfer.to(), transfer.amount(), Long::sum);
    }
    if (!expected.equals(balances)) {
      wrong.add(
          "%s has %s, but its ledger says %s"
              .formatted(member, new TreeMap<>(balances), new TreeMap<>(expected)));
    }
    return wrong;
  }
}
