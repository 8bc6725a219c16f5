package dev.wisent.cli.advise;

import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/** The server that is asked: the primary of a replica set, a standalone, or a router. */
final class Deployment implements AutoCloseable {
  private static final Duration REPLY_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(10);
  private static final int BATCH = 1_000;

  private final PooledNodeClient client;
  private final HostAndPort host;
  private final boolean router;

  private Deployment(PooledNodeClient client, HostAndPort host, boolean router) {
    this.client = client;
    this.host = host;
    this.router = router;
  }

  static Deployment connect(String uri, RandomSource random) throws AdviseException {
    ConnectionUri parsed = ConnectionUri.parse(uri, random);
    var seeds = new ArrayList<HostAndPort>(parsed.hosts());
    BackgroundLoops loops = BackgroundLoops.silent();
    var client = new PooledNodeClient(parsed.clientOptions("advise"), loops.clock(), loops);
    AdviseException last = null;
    for (int i = 0; i < seeds.size(); i++) {
      try {
        RawDocument hello =
            call(
                client,
                seeds.get(i),
                "admin",
                new BsonBuilder().appendInt32("hello", 1).toDocument(),
                HELLO_TIMEOUT);
        RawValue primary = hello.get("primary");
        boolean writable = hello.get("isWritablePrimary").isTruthy();
        if (writable) {
          return new Deployment(client, seeds.get(i), hello.get("msg") != null);
        }
        if (primary != null && !seeds.contains(HostAndPort.parse(primary.asString()))) {
          seeds.add(HostAndPort.parse(primary.asString()));
        }
      } catch (AdviseException e) {
        last = e;
      }
    }
    client.close();
    throw last == null ? AdviseException.failed("no primary among " + seeds) : last;
  }

  boolean isRouter() {
    return router;
  }

  RawDocument call(String database, RawDocument command) throws AdviseException {
    return call(client, host, database, command, REPLY_TIMEOUT);
  }

  private static RawDocument call(
      PooledNodeClient client,
      HostAndPort host,
      String database,
      RawDocument command,
      Duration timeout)
      throws AdviseException {
    RawDocument reply;
    try {
      reply = client.call(host, NodeRequest.of(database, command, timeout)).join();
    } catch (CompletionException e) {
      throw AdviseException.failed(host + " does not answer: " + e.getCause().getMessage());
    }
    if (!reply.get("ok").isTruthy()) {
      RawValue message = reply.get("errmsg");
      throw AdviseException.failed(
          host + " refuses: " + (message == null ? reply.toJson() : message.asString()));
    }
    return reply;
  }

  /** Takes the documents of a command's cursor, until one is not wanted any more. */
  void each(String database, String collection, RawDocument command, Predicate<RawDocument> taker)
      throws AdviseException {
    RawDocument cursor = call(database, command).get("cursor").asDocument();
    String batch = "firstBatch";
    while (true) {
      long id = cursor.get("id").toLong();
      for (ElementCursor found = cursor.get(batch).elements(); found.next(); ) {
        if (!taker.test(found.value().asDocument().detached())) {
          kill(database, collection, id);
          return;
        }
      }
      if (id == 0) {
        return;
      }
      batch = "nextBatch";
      var more =
          new BsonBuilder().appendInt64("getMore", id).appendString("collection", collection);
      more.appendInt32("batchSize", BATCH);
      cursor = call(database, more.toDocument()).get("cursor").asDocument();
    }
  }

  private void kill(String database, String collection, long id) throws AdviseException {
    if (id != 0) {
      var kill = new BsonBuilder().appendString("killCursors", collection);
      kill.startArray("cursors").append(0, RawValue.ofInt64(id)).end();
      call(database, kill.toDocument());
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
