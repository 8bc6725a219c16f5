package dev.wisent.server.cursor;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.cursorId;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.OpMsg;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** find, getMore and killCursors over a raw connection. */
class CursorCommandsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final int DOCUMENTS = 250;

  private RawClient client;

  @BeforeAll
  static void fill() {
    var documents = new ArrayList<BsonDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(new BsonDocument("_id", new BsonInt32(i)));
    }
    SERVER.fresh("c").insertMany(documents);
  }

  @BeforeEach
  void connect() {
    client = SERVER.connect();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private BsonDocument run(String command) {
    return client.run("{" + command + ", $db: 'test'}");
  }

  private BsonDocument getMore(long id, String more) {
    return run("getMore: {$numberLong: '" + id + "'}, collection: 'c'" + more);
  }

  private static String session(int number) {
    return ", lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAA"
        + "AQgw".charAt(number)
        + "==', subType: '04'}}}";
  }

  private static List<Integer> ids(BsonDocument reply) {
    return batch(reply).stream().map(d -> d.asDocument().getInt32("_id").getValue()).toList();
  }

  @Test
  void firstBatchOf101() {
    BsonDocument reply = run("find: 'c'");
    assertThat(batch(reply)).hasSize(101);
    assertThat(reply.getDocument("cursor").getString("ns").getValue()).isEqualTo("test.c");
    BsonDocument rest = getMore(cursorId(reply), "");
    assertThat(ids(rest)).hasSize(DOCUMENTS - 101).first().isEqualTo(101);
    assertThat(cursorId(rest)).isZero();
    assertThat(rest.getDocument("cursor").getString("ns").getValue()).isEqualTo("test.c");
  }

  @Test
  void batchSizes() {
    BsonDocument none = run("find: 'c', batchSize: 0");
    assertThat(batch(none)).isEmpty();
    assertThat(cursorId(none)).isNotZero();
    BsonDocument two = getMore(cursorId(none), ", batchSize: 2");
    assertThat(ids(two)).containsExactly(0, 1);
    BsonDocument three = getMore(cursorId(none), ", batchSize: 3.7");
    assertThat(ids(three)).containsExactly(2, 3, 4);
    BsonDocument all = getMore(cursorId(none), ", batchSize: 0");
    assertThat(ids(all)).as("0 is no limit").hasSize(DOCUMENTS - 5);
    assertThat(cursorId(all)).isZero();
  }

  @Test
  void limitAndSingleBatch() {
    assertThat(cursorId(run("find: 'c', limit: 5"))).isZero();
    BsonDocument limited = run("find: 'c', limit: 5, batchSize: 3");
    assertThat(ids(getMore(cursorId(limited), ""))).containsExactly(3, 4);
    assertThat(cursorId(run("find: 'c', batchSize: 3, singleBatch: true"))).isZero();
    assertThat(cursorId(run("find: 'c', limit: 3, batchSize: 3"))).isZero();
  }

  @Test
  void cursorThatDoesNotExist() {
    assertError(getMore(123456789, ""), 43, "cursor id 123456789 not found");
    assertError(getMore(0, ""), 43, "cursor id 0 not found");
    long ended = cursorId(run("find: 'c', batchSize: 1"));
    getMore(ended, "");
    assertCode(getMore(ended, ""), 43);
  }

  @Test
  void wrongNamespace() {
    long id = cursorId(run("find: 'c', batchSize: 1"));
    assertError(
        run("getMore: {$numberLong: '" + id + "'}, collection: 'other'"),
        13,
        "Requested getMore on namespace 'test.other', but cursor belongs to a different namespace"
            + " test.c");
    assertThat(ids(getMore(id, ", batchSize: 1"))).as("it is still there").containsExactly(1);
  }

  @Test
  void otherSession() {
    long owned = cursorId(run("find: 'c', batchSize: 1" + session(1)));
    assertCode(getMore(owned, ""), 50738);
    assertCode(getMore(owned, session(2)), 50738);
    assertOk(getMore(owned, ", batchSize: 1" + session(1)));
    long free = cursorId(run("find: 'c', batchSize: 1"));
    assertCode(getMore(free, session(1)), 50738);
    assertOk(getMore(free, ""));
  }

  @Test
  void refusedGetMoreLeavesTheCursor() {
    long id = cursorId(run("find: 'c', batchSize: 1"));
    assertError(
        getMore(id, ", maxTimeMS: 10"),
        2,
        "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
    assertCode(getMore(id, ", batchSize: 'x'"), 14);
    assertThat(ids(getMore(id, ", batchSize: 1"))).containsExactly(1);
  }

  @Test
  void killCursors() {
    long id = cursorId(run("find: 'c', batchSize: 1"));
    BsonDocument reply =
        run("killCursors: 'c', cursors: [{$numberLong: '" + id + "'}, {$numberLong: '77'}]");
    assertThat(longs(reply, "cursorsKilled")).containsExactly(id);
    assertThat(longs(reply, "cursorsNotFound")).containsExactly(77L);
    assertThat(longs(reply, "cursorsAlive")).isEmpty();
    assertThat(longs(reply, "cursorsUnknown")).isEmpty();
    assertCode(getMore(id, ""), 43);
    assertCode(run("killCursors: 'c', cursors: []"), 2);
  }

  private static List<Long> longs(BsonDocument reply, String field) {
    return reply.getArray(field).stream().map(v -> v.asInt64().getValue()).toList();
  }

  @Test
  void endOfASessionEndsItsCursors() {
    long id = cursorId(run("find: 'c', batchSize: 1" + session(3)));
    String lsid = session(3).substring(", lsid: ".length());
    assertOk(run("endSessions: [" + lsid + "]"));
    assertCode(getMore(id, session(3)), 43);
  }

  @Test
  void exhaustSendsAllBatches() {
    long id = cursorId(run("find: 'c', batchSize: 10"));
    String more =
        "{getMore: {$numberLong: '" + id + "'}, collection: 'c', batchSize: 50, $db: 'test'}";
    client.send(client.message(OpMsg.EXHAUST_ALLOWED, RawDocument.parse(more)));
    var values = new ArrayList<BsonValue>();
    boolean moreToCome = true;
    int replies = 0;
    while (moreToCome) {
      byte[] reply = client.receive();
      moreToCome = OpMsg.parse(reply, reply.length).moreToCome();
      BsonDocument body = RawClient.body(reply);
      values.addAll(batch(body));
      assertThat(cursorId(body) != 0)
          .as("there is more while the cursor lives")
          .isEqualTo(moreToCome);
      replies++;
    }
    assertThat(values).hasSize(DOCUMENTS - 10);
    assertThat(replies).isGreaterThanOrEqualTo(5);
    assertOk(run("ping: 1"));
  }

  @Test
  void exhaustEndsWithAnError() {
    String more = "{getMore: {$numberLong: '42'}, collection: 'c', $db: 'test'}";
    client.send(client.message(OpMsg.EXHAUST_ALLOWED, RawDocument.parse(more)));
    byte[] reply = client.receive();
    assertThat(OpMsg.parse(reply, reply.length).moreToCome()).isFalse();
    assertCode(RawClient.body(reply), 43);
    assertOk(run("ping: 1"));
  }

  @Test
  void dropAndRenameKillCursors() {
    SERVER.fresh("short").insertMany(List.of(new BsonDocument(), new BsonDocument()));
    long id = cursorId(run("find: 'short', batchSize: 1"));
    assertOk(run("drop: 'short'"));
    assertCode(run("getMore: {$numberLong: '" + id + "'}, collection: 'short'"), 175);
  }

  @Test
  void serverStatusCountsCursors() {
    BsonDocument before = SERVER.admin("{serverStatus: 1}");
    long first = cursorId(run("find: 'c', batchSize: 1, noCursorTimeout: true"));
    long second = cursorId(run("find: 'c', batchSize: 1"));
    BsonDocument after = SERVER.admin("{serverStatus: 1}");
    assertThat(number(after, "metrics.cursor.open.total"))
        .isEqualTo(number(before, "metrics.cursor.open.total") + 2);
    assertThat(number(after, "metrics.cursor.open.noTimeout"))
        .isEqualTo(number(before, "metrics.cursor.open.noTimeout") + 1);
    run(
        "killCursors: 'c', cursors: [{$numberLong: '"
            + first
            + "'}, {$numberLong: '"
            + second
            + "'}]");
  }

  @Test
  void cursorsOfListCommands() {
    SERVER.run("{create: 'another'}");
    BsonDocument collections = run("listCollections: 1, cursor: {batchSize: 1}");
    assertThat(batch(collections)).hasSize(1);
    assertThat(cursorId(collections)).isNotZero();
    BsonDocument more =
        run(
            "getMore: {$numberLong: '"
                + cursorId(collections)
                + "'}, collection: '$cmd.listCollections'");
    assertThat(batch(more)).isNotEmpty();
    assertThat(cursorId(more)).isZero();
  }
}
