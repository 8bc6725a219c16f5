package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.workload.Model.Entry;
import java.util.HashSet;
import java.util.List;

/**
 * What one client does: it writes and reads at random, tells the model, and compares what it reads
 * with it.
 */
final class Traffic implements Runnable {
  static final int KEYS = 40;

  /** Documents between which amounts are transferred, and which are never deleted. */
  static final int ACCOUNTS = 6;

  private final Session session;
  private final Model model;
  private final int number;
  private final int operations;
  private int inserted;
  private int transfers;
  private int unknownTransfers;
  private boolean ended;

  Traffic(Session session, Model model, int number, int operations) {
    this.session = session;
    this.model = model;
    this.number = number;
    this.operations = operations;
  }

  boolean hasEnded() {
    return ended;
  }

  int transfers() {
    return transfers;
  }

  int unknownTransfers() {
    return unknownTransfers;
  }

  @Override
  public void run() {
    for (int i = 0; i < operations; i++) {
      session.pause(25);
      switch (session.chance(12)) {
        case 0, 1 -> insert();
        case 2 -> increment(true);
        case 3, 4 -> increment(false);
        case 5 -> delete();
        case 6, 7 -> updateRange();
        case 8 -> count();
        case 9 -> scan();
        case 10 -> transfer();
        default -> snapshot();
      }
    }
    ended = true;
  }

  static int keyOfAccount(int account) {
    return account * KEYS / ACCOUNTS;
  }

  private void insert() {
    int id = 1000 * (number + 1) + inserted++;
    int key = session.chance(KEYS);
    Entry entry = model.insert(id, key, session.now());
    RawDocument reply =
        session.write("insert: 'c', documents: [{_id: " + id + ", k: " + key + ", v: 0, m: 0}]");
    if (reply != null) {
      requireOne(reply, "the insert of " + id);
      entry.inserted.acknowledged(session.now());
    }
  }

  /** A document that is there and stays for now; null if there is none. */
  private Entry any(boolean own) {
    long now = session.now();
    List<Entry> certain =
        model.entries().stream()
            .filter(entry -> entry.isCertain(now, now))
            .filter(entry -> !own || entry.id / 1000 == number + 1)
            .toList();
    return certain.isEmpty() ? null : certain.get(session.chance(certain.size()));
  }

  private void increment(boolean withoutKey) {
    Entry entry = any(false);
    if (entry == null) {
      return;
    }
    var span = new Span(session.now());
    entry.increments.add(span);
    String filter = withoutKey ? "_id: " + entry.id : "_id: " + entry.id + ", k: " + entry.key;
    RawDocument reply =
        session.write("update: 'c', updates: [{q: {" + filter + "}, u: {$inc: {v: 1}}}]");
    if (reply != null) {
      if (Session.number(reply, "n") == 0 && entry.deleted != null) {
        entry.increments.remove(span);
        return;
      }
      requireOne(reply, "the update of " + entry.id + (withoutKey ? " without its key" : ""));
      span.acknowledged(session.now());
    }
  }

  private void delete() {
    Entry entry = any(true);
    if (entry == null) {
      return;
    }
    entry.deleted = new Span(session.now());
    RawDocument reply =
        session.write(
            "delete: 'c', deletes: [{q: {_id: " + entry.id + ", k: " + entry.key + "}, limit: 1}]");
    if (reply != null) {
      requireOne(reply, "the delete of " + entry.id);
      entry.deleted.acknowledged(session.now());
    }
  }

  private static void requireOne(RawDocument reply, String what) {
    if (Session.number(reply, "n") != 1) {
      throw new Violation(what + " found " + Session.number(reply, "n") + " documents");
    }
  }

  private void updateRange() {
    int low = session.chance(KEYS);
    int high = low + 1 + session.chance(KEYS - low);
    long from = session.now();
    Model.RangeUpdate update = model.update(low, high, from);
    RawDocument reply =
        session.writeOnce(
            "{update: 'c', updates: [{q: {k: {$gte: "
                + low
                + ", $lt: "
                + high
                + "}}, u: {$inc: {m: 1}}, multi: true}]}");
    if (reply != null) {
      update.span().acknowledged(session.now());
      model.checkCount(Session.number(reply, "n"), low, high, from, session.now());
    }
  }

  private void count() {
    long from = session.now();
    RawDocument reply = session.tryRead("{count: 'c'}");
    if (reply != null) {
      model.checkCount(Session.number(reply, "n"), 0, KEYS, from, session.now());
    }
  }

  private void scan() {
    long from = session.now();
    List<RawDocument> found =
        session.scan("{find: 'c', batchSize: " + (2 + session.chance(8)) + "}");
    if (found != null) {
      check(found, from);
    }
  }

  /** Compares all documents, as they were found in some moments since a time, with the model. */
  void check(List<RawDocument> found, long from) {
    long to = session.now();
    var ids = new HashSet<Integer>();
    for (RawDocument document : found) {
      int id = (int) Session.number(document, "_id");
      Entry entry = model.entry(id);
      if (!ids.add(id)) {
        throw new Violation("document " + id + " was found twice");
      }
      if (entry == null || !entry.isPossible(from, to)) {
        throw new Violation("document " + id + " was found, and cannot be there");
      }
      model.checkIncrements(entry, Session.number(document, "v"), from, to);
      model.checkRangeUpdates(entry, Session.number(document, "m"), from, to);
    }
    for (Entry entry : model.entries()) {
      if (entry.isCertain(from, to) && !ids.contains(entry.id)) {
        throw new Violation("document " + entry.id + " of key " + entry.key + " was not found");
      }
    }
  }

  private void transfer() {
    int from = session.chance(ACCOUNTS);
    int to = (from + 1 + session.chance(ACCOUNTS - 1)) % ACCOUNTS;
    unknownTransfers++;
    Boolean committed = session.transact(List.of(part(from, -1), part(to, 1)));
    if (committed != null) {
      unknownTransfers--;
      transfers += committed ? 1 : 0;
    }
  }

  private static String part(int account, int amount) {
    return "update: 'c', updates: [{q: {_id: "
        + account
        + ", k: "
        + keyOfAccount(account)
        + "}, u: {$inc: {b: "
        + amount
        + ", t: 1}}}]";
  }

  /** All transfers of a snapshot are whole. */
  private void snapshot() {
    List<RawDocument> found =
        session.scan(
            "{find: 'c', filter: {_id: {$lt: "
                + ACCOUNTS
                + "}}, batchSize: 100, readConcern: {level: 'snapshot'}}");
    if (found != null) {
      checkSum(found);
    }
  }

  static void checkSum(List<RawDocument> accounts) {
    long sum = 0;
    for (RawDocument account : accounts) {
      sum += Session.number(account, "b");
    }
    if (accounts.size() != ACCOUNTS || sum != 0) {
      throw new Violation(
          "a snapshot with " + accounts.size() + " accounts has the sum " + sum + ": " + accounts);
    }
  }
}
