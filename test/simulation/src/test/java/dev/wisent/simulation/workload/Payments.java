package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.workload.Model.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A client of transactions that read and write on several shards. It reads what was committed with
 * causal consistency, and states of the past more than once.
 */
final class Payments implements Runnable {
  private static final int FIRST_ID = 50_000;
  private static final int TIMES_MAX = 8;

  private final Session session;
  private final Model model;
  private final Ledger ledger;
  private final String id;
  private final int firstId;
  private final int operations;
  private final List<Long> times = new ArrayList<>();

  /** What was read at cluster times. */
  private final Map<Long, String> states = new TreeMap<>();

  private long transaction;
  private int inserted;
  private boolean ended;

  Payments(Session session, Model model, Ledger ledger, UUID id, int number, int operations) {
    this.session = session;
    this.model = model;
    this.ledger = ledger;
    this.id = "lsid: {id: {$uuid: '" + id + "'}}";
    this.firstId = FIRST_ID + 1000 * number;
    this.operations = operations;
  }

  boolean hasEnded() {
    return ended;
  }

  @Override
  public void run() {
    for (int i = 0; i < operations; i++) {
      session.pause(15);
      switch (session.chance(8)) {
        case 0, 1, 2 -> pay();
        case 3, 4 -> insertPair();
        case 5 -> readAfterCommit();
        default -> readState();
      }
    }
    ended = true;
  }

  private ClientTransaction begin() {
    String concern = session.chance(2) == 0 ? ", readConcern: {level: 'snapshot'}" : "";
    return new ClientTransaction(session, id, ++transaction, concern);
  }

  private void pay() {
    int from = session.chance(Traffic.ACCOUNTS);
    int to = (from + 1 + session.chance(Traffic.ACCOUNTS - 1)) % Traffic.ACCOUNTS;
    ClientTransaction paying = begin();
    if (session.chance(2) == 0 && paying.run("find: 'c', batchSize: 1000") == null) {
      return;
    }
    if (!paying.write(part(from, -1))) {
      return;
    }
    if (session.chance(3) == 0) {
      session.pause(20);
    }
    if (!paying.write(part(to, 1))) {
      return;
    }
    Ledger.Payment payment = ledger.pay(from, to, session.now());
    Boolean committed = paying.commit();
    if (committed == null) {
      return;
    }
    if (committed) {
      payment.span().acknowledged(session.now());
      ledger.committed(paying.committedAt());
      readAfterCommit();
    } else {
      ledger.notPaid(payment);
    }
  }

  private static String part(int account, int amount) {
    return "update: 'c', updates: [{q: {_id: "
        + account
        + ", k: "
        + Traffic.keyOfAccount(account)
        + "}, u: {$inc: {s: "
        + amount
        + ", p: 1}}}]";
  }

  private void insertPair() {
    int first = firstId + inserted++;
    int second = firstId + inserted++;
    int key = session.chance(Traffic.KEYS);
    int otherKey = (key + Traffic.KEYS / 2) % Traffic.KEYS;
    ledger.pair(first, second);
    ClientTransaction inserting = begin();
    if (!inserting.write(insert(first, key)) || !inserting.write(insert(second, otherKey))) {
      return;
    }
    Entry entry = model.insert(first, key, session.now());
    Entry other = model.insert(second, otherKey, session.now());
    Boolean committed = inserting.commit();
    if (committed == null) {
      return;
    }
    if (!committed) {
      forget(entry);
      forget(other);
      return;
    }
    ledger.committed(inserting.committedAt());
    List<RawDocument> found = causal("_id: {$in: [" + first + ", " + second + "]}");
    if (found != null) {
      if (found.size() != 2) {
        throw new Violation("of " + first + " and " + second + " there is " + found);
      }
      entry.inserted.acknowledged(session.now());
      other.inserted.acknowledged(session.now());
    }
  }

  private static String insert(int document, int key) {
    return "insert: 'c', documents: [{_id: " + document + ", k: " + key + ", v: 0, m: 0}]";
  }

  /** It was never there. */
  private void forget(Entry entry) {
    entry.deleted = new Span(entry.inserted.began());
    entry.deleted.acknowledged(entry.inserted.began());
  }

  /** What is read after the time of a commit has all of it, on every shard. */
  private void readAfterCommit() {
    long from = session.now();
    List<RawDocument> found = causal("_id: {$lt: " + Traffic.ACCOUNTS + "}");
    if (found != null) {
      for (RawDocument account : found) {
        ledger.checkPayments(account, from, session.now());
      }
    }
  }

  private List<RawDocument> causal(String filter) {
    long time = ledger.newestTime();
    if (time == 0) {
      return null;
    }
    seen(time);
    return session.scan(
        "{find: 'c', filter: {"
            + filter
            + "}, batchSize: 100, readConcern: {level: 'local', afterClusterTime: "
            + timestamp(time)
            + "}}");
  }

  private void seen(long time) {
    if (times.size() == TIMES_MAX) {
      times.remove(session.chance(TIMES_MAX));
    }
    times.add(time);
  }

  /** A state of the cluster is whole, and the same whenever it is read. */
  private void readState() {
    if (times.isEmpty()) {
      return;
    }
    long time = times.get(session.chance(times.size()));
    if (session.chance(2) == 0) {
      time -= session.chance(4);
      seen(time);
    }
    List<RawDocument> found =
        session.scan(
            "{find: 'c', sort: {_id: 1}, batchSize: 1000, readConcern: {level: 'snapshot',"
                + " atClusterTime: "
                + timestamp(time)
                + "}}");
    if (found == null) {
      return;
    }
    ledger.checkWhole(found);
    String now = found.toString();
    String before = states.putIfAbsent(time, now);
    if (before != null && !before.equals(now)) {
      throw new Violation("the state at " + timestamp(time) + " was " + before + ", is " + now);
    }
  }

  private static String timestamp(long time) {
    return "{$timestamp: {t: " + (time >>> 32) + ", i: " + (time & 0xFFFF_FFFFL) + "}}";
  }
}
