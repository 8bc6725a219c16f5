package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What transactions across shards have changed: payments between accounts, and documents that come
 * in pairs. Of both a reader of one state sees all or nothing.
 */
final class Ledger {
  /** A payment: it changes {@code s} of two accounts, and counts in {@code p} of both. */
  record Payment(int from, int to, Span span) {}

  private record Pair(int first, int second) {}

  private final List<Payment> payments = new ArrayList<>();
  private final Map<Integer, Pair> pairs = new TreeMap<>();
  private long newestTime;

  Payment pay(int from, int to, long now) {
    var payment = new Payment(from, to, new Span(now));
    payments.add(payment);
    return payment;
  }

  void notPaid(Payment payment) {
    payments.remove(payment);
  }

  void pair(int first, int second) {
    var pair = new Pair(first, second);
    pairs.put(first, pair);
    pairs.put(second, pair);
  }

  boolean isPaired(int id) {
    return pairs.containsKey(id);
  }

  /** A commit was acknowledged at a cluster time. */
  void committed(long clusterTime) {
    newestTime = Long.compareUnsigned(clusterTime, newestTime) > 0 ? clusterTime : newestTime;
  }

  /** From this time on, all that was acknowledged is to be seen; 0 as long as nothing was. */
  long newestTime() {
    return newestTime;
  }

  /** What was read in one state of the cluster. */
  void checkWhole(List<RawDocument> found) {
    long sum = 0;
    int accounts = 0;
    var ids = new TreeMap<Integer, RawDocument>();
    for (RawDocument document : found) {
      int id = (int) Session.number(document, "_id");
      ids.put(id, document);
      if (id < Traffic.ACCOUNTS) {
        accounts++;
        sum += Session.number(document, "s");
      }
    }
    if (accounts != Traffic.ACCOUNTS || sum != 0) {
      throw new Violation(
          "a state with " + accounts + " accounts has payments of the sum " + sum + ": " + found);
    }
    for (Integer id : ids.keySet()) {
      Pair pair = pairs.get(id);
      if (pair != null && !(ids.containsKey(pair.first) && ids.containsKey(pair.second))) {
        throw new Violation("a state has one document of " + pair + ": " + found);
      }
    }
  }

  /**
   * How many payments of an account there are.
   *
   * @param from before which all that was acknowledged is to be seen
   */
  void checkPayments(RawDocument account, long from, long to) {
    int id = (int) Session.number(account, "_id");
    long parts = Session.number(account, "p");
    long certain = 0;
    long possible = 0;
    for (Payment payment : payments) {
      if (payment.from == id || payment.to == id) {
        certain += payment.span.doneBy(from) ? 1 : 0;
        possible += payment.span.begunBy(to) ? 1 : 0;
      }
    }
    if (parts < certain || parts > possible) {
      throw new Violation(
          parts + " payments, of " + certain + " to " + possible + ", in " + account);
    }
  }
}
