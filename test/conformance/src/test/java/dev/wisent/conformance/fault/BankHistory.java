package dev.wisent.conformance.fault;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.Document;

/**
 * Transfers between accounts, each with a receipt in the same transaction, and what clients were
 * told of them. Thread-safe.
 */
final class BankHistory {
  private static final int EXAMPLES_MAX = 10;

  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final Set<String> aborted = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  /** The client was told that it has committed. */
  void committed(String receipt) {
    committed.add(receipt);
  }

  /** The client was told that nothing of it remains. */
  void aborted(String receipt) {
    aborted.add(receipt);
  }

  /** The client does not know. */
  void unknown(String receipt) {
    unknown.add(receipt);
  }

  /** What is wrong with the receipts and the balances that there are in the end. */
  List<String> check(List<Document> receipts, List<Document> accounts, int balance) {
    List<String> wrong = new ArrayList<>();
    Map<Integer, Integer> expected = new HashMap<>();
    accounts.forEach(account -> expected.put(account.getInteger("_id"), balance));
    Set<String> found = ConcurrentHashMap.newKeySet();
    for (Document receipt : receipts) {
      if (!found.add(receipt.getString("_id"))) {
        wrong.add("a receipt is there twice: " + receipt);
      }
      expected.merge(receipt.getInteger("from"), -receipt.getInteger("amount"), Integer::sum);
      expected.merge(receipt.getInteger("to"), receipt.getInteger("amount"), Integer::sum);
    }
    note(wrong, "were acknowledged and are lost", committed, id -> !found.contains(id));
    note(wrong, "were aborted and are there", aborted, found::contains);
    note(
        wrong,
        "are there and were never sent",
        found,
        id -> !committed.contains(id) && !aborted.contains(id) && !unknown.contains(id));
    for (Document account : accounts) {
      int is = account.getInteger("x");
      int shouldBe = expected.get(account.getInteger("_id"));
      if (is != shouldBe) {
        wrong.add("%s has %d, and %d by the receipts".formatted(account, is, shouldBe));
      }
    }
    return wrong;
  }

  private interface Check {
    boolean isWrong(String id);
  }

  private static void note(List<String> wrong, String what, Set<String> ids, Check check) {
    List<String> found = ids.stream().filter(check::isWrong).sorted().toList();
    if (!found.isEmpty()) {
      List<String> some = found.subList(0, Math.min(found.size(), EXAMPLES_MAX));
      wrong.add("%d transfers %s: %s".formatted(found.size(), what, some));
    }
  }

  int committedCount() {
    return committed.size();
  }

  @Override
  public String toString() {
    return "%d committed, %d aborted, %d unknown"
        .formatted(committed.size(), aborted.size(), unknown.size());
  }
}
