package dev.wisent.server.cursor;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.cursorId;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cursors that stay open at the end of a capped collection. */
class TailableCursorTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private RawClient client;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
    run("drop: 'capped'");
    run("create: 'capped', capped: true, size: 100000, max: 5");
    insert(1);
    insert(2);
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private BsonDocument run(String command) {
    return client.run("{" + command + ", $db: 'test'}");
  }

  private static void insert(int id) {
    SERVER.run("{insert: 'capped', documents: [{_id: " + id + "}]}");
  }

  private BsonDocument getMore(long id, String more) {
    return run("getMore: {$numberLong: '" + id + "'}, collection: 'capped'" + more);
  }

  private static java.util.List<Integer> ids(BsonDocument reply) {
    return batch(reply).stream().map(d -> d.asDocument().getInt32("_id").getValue()).toList();
  }

  @Test
  void stayOpenAtTheEnd() {
    BsonDocument first = run("find: 'capped', tailable: true");
    assertThat(ids(first)).containsExactly(1, 2);
    long id = cursorId(first);
    assertThat(id).isNotZero();
    BsonDocument nothing = getMore(id, "");
    assertThat(batch(nothing)).isEmpty();
    assertThat(cursorId(nothing)).isEqualTo(id);
    insert(3);
    assertThat(ids(getMore(id, ""))).containsExactly(3);
  }

  @Test
  void awaitDataWaitsForAnInsert() {
    long id = cursorId(run("find: 'capped', tailable: true, awaitData: true"));
    var waiting = CompletableFuture.supplyAsync(() -> getMore(id, ", maxTimeMS: 50000"));
    insert(3);
    assertThat(ids(waiting.join())).containsExactly(3);
  }

  @Test
  void awaitDataEndsWithItsTime() {
    long id = cursorId(run("find: 'capped', tailable: true, awaitData: true"));
    long start = System.nanoTime();
    BsonDocument reply = getMore(id, ", maxTimeMS: 300");
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertThat(batch(reply)).isEmpty();
    assertThat(cursorId(reply)).isEqualTo(id);
    assertThat(millis).isBetween(250L, 45_000L);
  }

  @Test
  void filterOfATail() {
    long id = cursorId(run("find: 'capped', filter: {_id: {$gt: 3}}, tailable: true"));
    insert(3);
    insert(4);
    assertThat(ids(getMore(id, ""))).containsExactly(4);
  }

  @Test
  void positionThatWasOverwrittenIsLost() {
    long id = cursorId(run("find: 'capped', tailable: true, batchSize: 1"));
    for (int i = 3; i < 20; i++) {
      insert(i);
    }
    assertCode(getMore(id, ""), 136);
    assertCode(getMore(id, ""), 43);
  }

  @Test
  void dropEndsTheTail() {
    long id = cursorId(run("find: 'capped', tailable: true, awaitData: true"));
    var waiting = CompletableFuture.supplyAsync(() -> getMore(id, ", maxTimeMS: 50000"));
    SERVER.run("{drop: 'capped'}");
    BsonDocument reply = waiting.join();
    assertThat(reply.getNumber("ok").intValue()).isZero();
    assertCode(reply, 175);
  }

  @Test
  void killCursorsEndsTheWait() {
    long id = cursorId(run("find: 'capped', tailable: true, awaitData: true"));
    var waiting = CompletableFuture.supplyAsync(() -> getMore(id, ", maxTimeMS: 50000"));
    Eventually.await(
        "getMore waits",
        () -> number(SERVER.admin("{serverStatus: 1}"), "metrics.cursor.open.pinned") == 1);
    long start = System.nanoTime();
    try (RawClient other = SERVER.connect()) {
      BsonDocument killed =
          other.run("{killCursors: 'capped', cursors: [{$numberLong: '" + id + "'}], $db: 'test'}");
      assertThat(killed.getArray("cursorsKilled")).hasSize(1);
    }
    assertCode(waiting.join(), 237);
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(45));
  }

  @Test
  void waitOfAClientThatHasGoneEnds() {
    String isWaiting = "metrics.cursor.open.pinned";
    try (RawClient leaving = SERVER.connect()) {
      long id =
          cursorId(leaving.run("{find: 'capped', tailable: true, awaitData: true, $db: 'test'}"));
      leaving.send(
          leaving.message(
              0,
              RawDocument.parse(
                  "{getMore: {$numberLong: '%d'}, collection: 'capped', maxTimeMS: 6000000, $db: 'test'}"
                      .formatted(id))));
      Eventually.await("it waits", () -> number(SERVER.admin("{serverStatus: 1}"), isWaiting) == 1);
    }
    Eventually.await("it ends", () -> number(SERVER.admin("{serverStatus: 1}"), isWaiting) == 0);
  }

  @Test
  void onlyCappedCollectionsInTheirOrder() {
    SERVER.run("{insert: 'plain', documents: [{}]}");
    assertCode(run("find: 'plain', tailable: true"), 2);
    assertCode(run("find: 'capped', tailable: true, sort: {a: 1}"), 2);
    assertCode(run("find: 'capped', awaitData: true"), 9);
    assertCode(run("find: 'capped', tailable: true, singleBatch: true"), 9);
  }
}
