package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.simulation.cluster.SimulatedClient;

/** A transaction as drivers run it: its commit is repeated, with what another router needs. */
final class ClientTransaction {
  private static final int COMMITS_MAX = 200;
  private static final int NO_SUCH_TRANSACTION = 251;

  private final Session session;
  private final String fields;
  private String start;
  private RawValue token;
  private long committedAt;

  /**
   * @param id the field {@code lsid}
   * @param readConcern of the first statement; empty for none
   */
  ClientTransaction(Session session, String id, long number, String readConcern) {
    this.session = session;
    this.fields = ", " + id + ", txnNumber: {$numberLong: '" + number + "'}, autocommit: false";
    this.start = ", startTransaction: true" + readConcern;
  }

  /** The reply; null if the statement has failed, and with it the transaction. */
  RawDocument run(String statement) {
    RawDocument reply = session.tryRead("{" + statement + fields + start + "}");
    start = "";
    if (reply == null || reply.get("writeErrors") != null) {
      abort();
      return null;
    }
    token = reply.get("recoveryToken");
    return reply;
  }

  /** As {@link #run}, of a write of one document. */
  boolean write(String statement) {
    RawDocument reply = run(statement);
    if (reply == null) {
      return false;
    }
    if (Session.number(reply, "n") != 1) {
      abort();
      return false;
    }
    return true;
  }

  void abort() {
    var unused = session.tryCall("admin", "{abortTransaction: 1" + fields + "}");
  }

  /**
   * @return true if it was committed, false if certainly not, null if that is not known
   */
  Boolean commit() {
    String recovery = token == null ? "" : ", recoveryToken: " + token.asDocument().toJson();
    for (int i = 0; i < COMMITS_MAX; i++) {
      RawDocument reply =
          session.tryCall("admin", "{commitTransaction: 1" + fields + recovery + "}");
      if (reply != null && SimulatedClient.isOk(reply)) {
        committedAt = reply.get("operationTime").asInt64();
        return true;
      }
      if (reply != null && Session.number(reply, "code") == NO_SUCH_TRANSACTION) {
        return false;
      }
      session.pause(100);
    }
    return null;
  }

  /** A time at which all of it is to be seen. */
  long committedAt() {
    return committedAt;
  }
}
