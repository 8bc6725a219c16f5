package dev.wisent.simulation.workload;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.simulation.cluster.SimulatedClient;
import dev.wisent.wire.HostAndPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A client's session with a router: commands, and writes that are repeated as drivers do. */
final class Session {
  static final String DATABASE = "d";
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final int ATTEMPTS_MAX = 400;

  private final SimulatedClient client;
  private final HostAndPort router;
  private final String id;
  private long transaction;
  private RawDocument lastReply;
  private String lastWrite;

  Session(SimulatedClient client, HostAndPort router, UUID id) {
    this.client = client;
    this.router = router;
    this.id = "lsid: {id: {$uuid: '" + id + "'}}";
  }

  long now() {
    return client.host().machine().nowNanos();
  }

  int chance(int bound) {
    return client.host().random().nextInt(bound);
  }

  void pause(long millisMax) {
    LockSupport.parkNanos(1 + client.host().random().nextLong(millisMax * 1_000_000));
  }

  SimulatedClient client() {
    return client;
  }

  /** The last reply, also if it was an error; null if none came. */
  RawDocument lastReply() {
    return lastReply;
  }

  /** The code of the last reply. */
  long lastError() {
    return lastReply == null ? 0 : number(lastReply, "code");
  }

  /** Runs a command of administrators while nothing goes wrong. */
  void require(String json) {
    RawDocument reply = tryCall("admin", json);
    if (reply == null || !SimulatedClient.isOk(reply)) {
      throw new IllegalStateException(json + " gave " + reply);
    }
  }

  /** The reply; null if none came. */
  RawDocument tryCall(String database, String json) {
    lastReply = null;
    try {
      lastReply = client.call(router, database, RawDocument.parse(json), WAIT);
      requireExplained(json);
      return lastReply;
    } catch (CommandException e) {
      return null;
    }
  }

  private void requireExplained(String json) {
    if (lastError() == ErrorCode.INTERNAL_ERROR.code()) {
      throw new Violation("no fault explains this: " + json + " gave " + lastReply.toJson());
    }
  }

  /** The reply where it is ok; else null. */
  RawDocument tryRead(String json) {
    RawDocument reply = tryCall(DATABASE, json);
    return reply != null && SimulatedClient.isOk(reply) ? reply : null;
  }

  /** Repeats a write under one number until it is answered; null if it never was. */
  RawDocument write(String command) {
    lastWrite = "{" + command + ", " + id + ", txnNumber: {$numberLong: '" + ++transaction + "'}}";
    return repeat(lastWrite);
  }

  /** Repeats the last write under the same number, as if it had not been answered. */
  RawDocument writeAgain() {
    return repeat(lastWrite);
  }

  private RawDocument repeat(String json) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      RawDocument reply = tryCall(DATABASE, json);
      if (reply != null && SimulatedClient.isOk(reply) && reply.get("writeErrors") == null) {
        return reply;
      }
      requireNoDuplicate(json, reply);
      pause(100);
    }
    return null;
  }

  private static void requireNoDuplicate(String json, RawDocument reply) {
    RawValue errors = reply == null ? null : reply.get("writeErrors");
    if (errors == null) {
      return;
    }
    ElementCursor each = errors.elements();
    while (each.next()) {
      if (number(each.value().asDocument(), "code") == 11000) {
        throw new Violation("a duplicate that cannot be: " + json + " gave " + reply.toJson());
      }
    }
  }

  /** Once, without a number: the outcome of a failure is unknown, and null. */
  RawDocument writeOnce(String json) {
    RawDocument reply = tryRead(json);
    return reply != null && reply.get("writeErrors") == null ? reply : null;
  }

  /**
   * Runs updates in a transaction.
   *
   * @return true if it was committed, false if certainly not, null if that is not known
   */
  Boolean transact(List<String> updates) {
    String fields =
        ", " + id + ", txnNumber: {$numberLong: '" + ++transaction + "'}, autocommit: false";
    boolean first = true;
    for (String update : updates) {
      RawDocument reply =
          tryRead("{" + update + fields + (first ? ", startTransaction: true}" : "}"));
      first = false;
      if (reply == null || reply.get("writeErrors") != null || number(reply, "n") != 1) {
        var unused = tryCall("admin", "{abortTransaction: 1" + fields + "}");
        return false;
      }
      if (chance(3) == 0) {
        pause(20);
      }
    }
    return commit(fields);
  }

  private Boolean commit(String fields) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      RawDocument reply = tryCall("admin", "{commitTransaction: 1" + fields + "}");
      if (reply != null && SimulatedClient.isOk(reply)) {
        return true;
      }
      if (reply != null && i == 0 && isTransient(reply)) {
        return false;
      }
      if (reply != null && number(reply, "code") == 251) {
        return false;
      }
      pause(100);
    }
    return null;
  }

  private static boolean isTransient(RawDocument reply) {
    RawValue labels = reply.get("errorLabels");
    return labels != null && labels.toString().contains("TransientTransactionError");
  }

  /** All documents of a find; null if it failed on the way. */
  List<RawDocument> scan(String find) {
    var found = new ArrayList<RawDocument>();
    RawDocument reply = tryRead(find);
    while (reply != null) {
      RawDocument cursor = reply.get("cursor").asDocument();
      RawValue batch = cursor.get("firstBatch");
      ElementCursor each = (batch == null ? cursor.get("nextBatch") : batch).elements();
      while (each.next()) {
        found.add(each.value().asDocument().detached());
      }
      long cursorId = number(cursor, "id");
      if (cursorId == 0) {
        return found;
      }
      if (chance(3) == 0) {
        pause(30);
      }
      reply =
          tryRead("{getMore: {$numberLong: '" + cursorId + "'}, collection: 'c', batchSize: 4}");
    }
    return null;
  }

  static long number(RawDocument document, String field) {
    RawValue value = document.get(field);
    return value == null ? 0 : value.toLong();
  }

  static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}
