package dev.wisent.server.access;

import dev.wisent.bson.BsonBuilder;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How many logins there were, as {@code serverStatus} tells them. Thread-safe. */
public final class LoginCounters {
  private final Map<String, Mechanism> mechanisms = new TreeMap<>();
  private final LongAdder mechanismsAsked = new LongAdder();

  /** Of one kind. */
  private static final class Pair {
    private final LongAdder received = new LongAdder();
    private final LongAdder successful = new LongAdder();

    void append(String name, BsonBuilder out) {
      out.startDocument(name);
      out.appendInt64("received", received.sum());
      out.appendInt64("successful", successful.sum());
      out.end();
    }
  }

  private static final class Mechanism {
    private final Pair speculative = new Pair();
    private final Pair cluster = new Pair();
    private final Pair all = new Pair();
  }

  LoginCounters(Iterable<String> names) {
    names.forEach(name -> mechanisms.put(name, new Mechanism()));
  }

  /** A client has asked which mechanisms a user has. */
  public void mechanismsAsked() {
    mechanismsAsked.increment();
  }

  public void received(String mechanism, boolean speculative) {
    Mechanism counts = mechanisms.get(mechanism);
    if (counts != null) {
      counts.all.received.increment();
      if (speculative) {
        counts.speculative.received.increment();
      }
    }
  }

  /** A login as a member has ended. */
  public void cluster(String mechanism, boolean successful) {
    Mechanism counts = mechanisms.get(mechanism);
    if (counts != null) {
      counts.cluster.received.increment();
      if (successful) {
        counts.cluster.successful.increment();
      }
    }
  }

  public void successful(String mechanism, boolean speculative) {
    Mechanism counts = mechanisms.get(mechanism);
    if (counts != null) {
      counts.all.successful.increment();
      if (speculative) {
        counts.speculative.successful.increment();
      }
    }
  }

  /** Writes the section {@code security}. */
  public void append(BsonBuilder out) {
    out.startDocument("authentication");
    out.appendInt64("saslSupportedMechsReceived", mechanismsAsked.sum());
    out.startDocument("mechanisms");
    mechanisms.forEach(
        (name, counts) -> {
          out.startDocument(name);
          counts.speculative.append("speculativeAuthenticate", out);
          counts.cluster.append("clusterAuthenticate", out);
          counts.all.append("authenticate", out);
          out.end();
        });
    out.end();
    out.end();
  }
}
