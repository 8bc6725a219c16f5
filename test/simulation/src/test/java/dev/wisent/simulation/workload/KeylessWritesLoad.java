package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Retryable writes of one document of two that match, often on different shards (rule H12). What
 * such a write has changed does not match it again: an attempt that does not learn of an earlier
 * one finds another document.
 */
final class KeylessWritesLoad implements Load {
  private static final int CLIENTS = 2;
  private static final int OPERATIONS = 14;

  private final Supplier<Session> sessions;
  private int number;
  private int acknowledged;

  KeylessWritesLoad(Supplier<Session> sessions) {
    this.sessions = sessions;
  }

  @Override
  public void prepare(Session session) {}

  @Override
  public List<Runnable> clients() {
    return Stream.generate(this::client).limit(CLIENTS).toList();
  }

  private Runnable client() {
    Session session = sessions.get();
    return () -> {
      for (int i = 0; i < OPERATIONS; i++) {
        session.pause(30);
        write(session);
      }
    };
  }

  private void write(Session session) {
    int mark = ++number;
    int first = session.chance(Traffic.ACCOUNTS);
    int second = (first + 1 + session.chance(Traffic.ACCOUNTS - 1)) % Traffic.ACCOUNTS;
    String filter = "{_id: {$in: [" + first + ", " + second + "]}, mark: {$ne: " + mark + "}}";
    String update = "{$inc: {w: 1}, $set: {mark: " + mark + "}}";
    boolean modify = session.chance(3) == 0;
    RawDocument reply =
        session.write(
            modify
                ? "findAndModify: 'c', query: " + filter + ", update: " + update + ", new: true"
                : "update: 'c', updates: [{q: " + filter + ", u: " + update + "}]");
    if (reply == null) {
      return;
    }
    acknowledged++;
    requireOne(reply, mark, modify);
    if (session.chance(3) == 0) {
      // A client whose connection has broken does not know that the write was done.
      session.pause(30);
      RawDocument again = session.writeAgain();
      if (again != null) {
        requireOne(again, mark, modify);
      }
    }
  }

  private static void requireOne(RawDocument reply, int mark, boolean modify) {
    boolean one =
        modify
            ? Session.number(reply.get("value").asDocument(), "mark") == mark
            : Session.number(reply, "n") == 1;
    if (!one) {
      throw new Violation("write " + mark + " without a key gave " + reply);
    }
  }

  @Override
  public void check(Session session) {
    List<RawDocument> accounts =
        Reads.all(
            session,
            "{find: 'c', filter: {_id: {$lt: " + Traffic.ACCOUNTS + "}}, batchSize: 1000}");
    long done = accounts.stream().mapToLong(account -> Session.number(account, "w")).sum();
    if (done < acknowledged || done > number) {
      throw new Violation(
          done + " writes without a key, of " + acknowledged + " to " + number + ": " + accounts);
    }
  }
}
