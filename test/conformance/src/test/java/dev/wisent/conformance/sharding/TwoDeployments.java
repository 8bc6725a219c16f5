package dev.wisent.conformance.sharding;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;

/** Clients of a set of one member and of a cluster. For one thread. */
final class TwoDeployments implements AutoCloseable {
  private final MongoClient single;

  /** Of one test alone: no other one may use its sessions. */
  private final MongoClient routed;

  /** For writes that are numbered here. */
  private final ClientSession session;

  private long newestNumber;

  TwoDeployments(String single, String routed) {
    this.single = MongoClients.create(single);
    this.routed = MongoClients.create(routed);
    this.session = this.routed.startSession();
    // Taken now: one that had transactions would know other numbers.
    var unused = session.getServerSession();
  }

  MongoClient single() {
    return single;
  }

  MongoClient routed() {
    return routed;
  }

  ClientSession session() {
    return session;
  }

  long nextNumber() {
    return ++newestNumber;
  }

  /** The same database in both. */
  SameAnswers of(String database, String about, boolean collated, boolean moving) {
    return new SameAnswers(this, database, about, collated, moving);
  }

  @Override
  public void close() {
    session.close();
    routed.close();
    single.close();
  }
}
