package dev.wisent.server.session;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions begin with their first use, own cursors, and end with them. */
class SessionsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private RawClient client;
  private static int lastSession;

  @BeforeEach
  void connect() {
    client = SERVER.connect();
    run("insert: 'c', documents: [{}, {}, {}, {}]");
  }

  @AfterEach
  void disconnect() {
    run("drop: 'c'");
    client.close();
  }

  private BsonDocument run(String command) {
    return client.run("{" + command + (command.contains("$db") ? "" : ", $db: 'test'") + "}");
  }

  /** A session that was not used yet. */
  private static String newSession() {
    byte[] id = new byte[16];
    id[0] = (byte) ++lastSession;
    return "{id: {$binary: {base64: '"
        + Base64.getEncoder().encodeToString(id)
        + "', subType: '04'}}}";
  }

  private long openCursor(String session) {
    return run("find: 'c', batchSize: 1, lsid: " + session)
        .getDocument("cursor")
        .getInt64("id")
        .getValue();
  }

  private BsonDocument more(long cursor, String session) {
    return run(
        "getMore: {$numberLong: '"
            + cursor
            + "'}, collection: 'c', batchSize: 1, lsid: "
            + session);
  }

  private boolean isListed(String session) {
    BsonDocument id = BsonDocument.parse(session);
    return run("aggregate: 1, pipeline: [{$listLocalSessions: {allUsers: true}}], cursor: {}")
        .getDocument("cursor")
        .getArray("firstBatch")
        .stream()
        .anyMatch(listed -> listed.asDocument().getDocument("_id").get("id").equals(id.get("id")));
  }

  @Test
  void aSessionBeginsWithItsFirstUse() {
    String session = newSession();
    assertThat(isListed(session)).isFalse();
    assertOk(run("ping: 1, lsid: " + session));
    assertThat(isListed(session)).isTrue();
  }

  @Test
  void startedAndRefreshedSessionsAreKnown() {
    BsonDocument started = run("startSession: 1");
    assertThat(started.getInt32("timeoutMinutes").getValue()).isEqualTo(30);
    assertThat(isListed(started.getDocument("id").toJson())).isTrue();
    String session = newSession();
    assertOk(run("refreshSessions: [" + session + "]"));
    assertThat(isListed(session)).isTrue();
  }

  @Test
  void endedSessionsLoseTheirCursors() {
    for (String command : new String[] {"endSessions", "killSessions"}) {
      String ended = newSession();
      String other = newSession();
      long cursor = openCursor(ended);
      long otherCursor = openCursor(other);
      assertOk(run(command + ": [" + ended + "]"));
      assertThat(isListed(ended)).isFalse();
      assertThat(isListed(other)).isTrue();
      assertCode(more(cursor, ended), 43);
      assertOk(more(otherCursor, other));
    }
  }

  @Test
  void allSessionsEnd() {
    for (String command :
        new String[] {"killAllSessions: []", "killAllSessionsByPattern: []", "killSessions: []"}) {
      String session = newSession();
      long cursor = openCursor(session);
      assertOk(run(command));
      assertThat(isListed(session)).isFalse();
      assertCode(more(cursor, session), 43);
    }
  }

  @Test
  void patternsNameSessions() {
    String named = newSession();
    String other = newSession();
    long cursor = openCursor(named);
    long otherCursor = openCursor(other);
    assertOk(run("killAllSessionsByPattern: [{lsid: " + named + "}]"));
    assertCode(more(cursor, named), 43);
    assertOk(more(otherCursor, other));
    assertOk(run("killAllSessionsByPattern: [{uid: {$binary: {base64: 'AQ==', subType: '00'}}}]"));
    assertOk(more(otherCursor, other));
    assertOk(run("killAllSessionsByPattern: [{}]"));
    assertCode(more(otherCursor, other), 43);
    assertCode(run("killAllSessionsByPattern: [{nonsense: 1}]"), 40415);
  }

  @Test
  void killedSessionsEndWhatRunsInThem() {
    String session = newSession();
    assertOk(
        run(
            "configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['count'],"
                + " blockConnection: true, blockTimeMS: 60000}, $db: 'admin'"));
    try (RawClient blocked = SERVER.connect()) {
      CompletableFuture<BsonDocument> reply =
          CompletableFuture.supplyAsync(
              () -> blocked.run("{count: 'c', lsid: " + session + ", $db: 'test'}"));
      Eventually.await(
          "the command blocks",
          () ->
              !run("aggregate: 1, pipeline: [{$currentOp: {}}, {$match: {'command.count': 'c'}}],"
                      + " cursor: {}, $db: 'admin'")
                  .getDocument("cursor")
                  .getArray("firstBatch")
                  .isEmpty());
      assertOk(run("killSessions: [" + session + "]"));
      assertCode(reply.join(), 11601);
    }
  }

  @Test
  void whatIsNoSessionIsRefused() {
    assertCode(run("endSessions: 1"), 14);
    assertCode(run("endSessions: [1]"), 14);
    assertCode(run("endSessions: [{}]"), 40414);
    assertCode(run("refreshSessions: [{id: 'x'}]"), 14);
    assertCode(run("ping: 1, lsid: " + newSession().replace("}}}", "}}, uid: 'x'}")), 14);
    assertCode(
        run("aggregate: 1, pipeline: [{$listLocalSessions: {nonsense: 1}}], cursor: {}"), 40415);
  }
}
