package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.log.ServerLog;
import dev.wisent.replication.member.MemberData;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a copy of a member's data is when it is started without the log that it had. */
@Execution(ExecutionMode.CONCURRENT)
class CopiedMemberTest {
  private static final int DOCUMENTS = 20;

  @TempDir Path directory;
  private Path original;
  private Path copy;

  @BeforeEach
  void backUp() throws Exception {
    original = directory.resolve("original");
    copy = directory.resolve("copy");
    try (WisentServer server = start(original, "rs");
        RawClient client = new RawClient(server.port())) {
      initiate(client);
      for (int i = 0; i < DOCUMENTS; i++) {
        insert(client, i);
      }
    }
    copyWithoutLog(copy);
  }

  private static WisentServer start(Path directory, String set) throws Exception {
    return WisentServer.start(
        ServerOptions.builder(directory).port(0).replicaSet(set).build(), ServerLog.silent());
  }

  private void copyWithoutLog(Path target) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(original)) {
      files = all.filter(file -> !original.relativize(file).startsWith("raft")).toList();
    }
    for (Path file : files) {
      Files.copy(file, target.resolve(original.relativize(file).toString()));
    }
  }

  private static void initiate(RawClient client) {
    run(client, "{replSetInitiate: {}, $db: 'admin'}");
    Eventually.await("it leads", () -> leads(client));
  }

  private static boolean leads(RawClient client) {
    return client.run("{hello: 1, $db: 'admin'}").getBoolean("isWritablePrimary").getValue();
  }

  private static BsonDocument run(RawClient client, String command) {
    BsonDocument reply = client.run(command);
    assertThat(reply.getNumber("ok").doubleValue()).as(reply.toJson()).isEqualTo(1);
    return reply;
  }

  private static void insert(RawClient client, int id) {
    run(client, "{insert: 'c', documents: [{_id: " + id + "}], $db: 'test'}");
  }

  private static int count(RawClient client) {
    return run(client, "{count: 'c', $db: 'test'}").getNumber("n").intValue();
  }

  private static int code(RawClient client, String command) {
    return client.run(command).getInt32("code").getValue();
  }

  private static long term(RawClient client) {
    return run(client, "{replSetGetStatus: 1, $db: 'admin'}").getNumber("term").longValue();
  }

  @Test
  void itIsNoMemberAndServesNothingBeforeItHasJoined() throws Exception {
    try (WisentServer server = start(copy, "rs");
        RawClient client = new RawClient(server.port())) {
      assertThat(leads(client)).isFalse();
      assertThat(code(client, "{replSetGetStatus: 1, $db: 'admin'}")).isEqualTo(94);
      assertThat(code(client, "{find: 'c', $db: 'test'}")).isIn(10107, 13435, 13436);
      assertThat(code(client, "{insert: 'c', documents: [{}], $db: 'test'}")).isEqualTo(10107);
    }
    assertThatItIsAState(true);
  }

  /** All members of the set are lost, and the set begins anew with a backup. */
  @Test
  void aNewSetBeginsWithTheData() throws Exception {
    long before;
    try (WisentServer server = start(original, "rs");
        RawClient client = new RawClient(server.port())) {
      Eventually.await("it leads", () -> leads(client));
      before = term(client);
    }
    try (WisentServer server = start(copy, "rs");
        RawClient client = new RawClient(server.port())) {
      initiate(client);
      assertThat(count(client)).isEqualTo(DOCUMENTS);
      assertThat(term(client))
          .as("drivers ignore a primary of an older term")
          .isGreaterThan(before);
      insert(client, DOCUMENTS);
      BsonDocument config =
          run(client, "{replSetGetConfig: 1, $db: 'admin'}").getDocument("config");
      assertThat(config.getArray("members").get(0).asDocument().getString("host").getValue())
          .endsWith(":" + server.port());
    }
    try (WisentServer server = start(copy, "rs");
        RawClient client = new RawClient(server.port())) {
      // Its address is another one after this start, so it looks on as what it is.
      assertThat(code(client, "{replSetInitiate: {}, $db: 'admin'}")).isEqualTo(23);
    }
  }

  /** As the snapshot of a file system: what is not flushed is only in the log. */
  @Test
  void aSnapshotWithoutItsLogBeginsNoSet() throws Exception {
    Path snapshot = directory.resolve("snapshot");
    try (WisentServer server = start(original, "rs");
        RawClient client = new RawClient(server.port())) {
      Eventually.await("it leads", () -> leads(client));
      insert(client, DOCUMENTS);
      copyWithoutLog(snapshot);
    }
    try (WisentServer server = start(snapshot, "rs");
        RawClient client = new RawClient(server.port())) {
      BsonDocument refused = client.run("{replSetInitiate: {}, $db: 'admin'}");
      assertThat(refused.getInt32("code").getValue()).as(refused.toJson()).isEqualTo(110);
      assertThat(refused.getString("errmsg").getValue()).contains("Start the copy once with its");
      run(client, "{replSetInitiate: {}, force: true, $db: 'admin'}");
      Eventually.await("it leads", () -> leads(client));
      assertThat(count(client)).as("what was flushed").isEqualTo(DOCUMENTS);
    }
  }

  /** A member that was taken for lost, and still has the log of the set of before. */
  @Test
  void aNewSetRefusesMembersOfTheOldOne() throws Exception {
    try (WisentServer server = start(copy, "rs");
        WisentServer old = start(original, "rs");
        RawClient client = new RawClient(server.port());
        RawClient oldClient = new RawClient(old.port())) {
      initiate(client);
      String host = "127.0.0.1:" + old.port();
      BsonDocument refused =
          client.run(
              "{replSetReconfig: {_id: 'rs', version: 2, members: [{_id: 0, host: '127.0.0.1:"
                  + server.port()
                  + "'}, {_id: 1, host: '"
                  + host
                  + "'}]}, $db: 'admin'}");
      assertThat(refused.getNumber("ok").intValue()).as(refused.toJson()).isZero();
      insert(client, DOCUMENTS);
      assertThat(count(client)).isEqualTo(DOCUMENTS + 1);
      Eventually.await("the old one leads", () -> leads(oldClient));
      assertThat(run(oldClient, "{dbStats: 1, $db: 'test'}").getNumber("objects").intValue())
          .isEqualTo(DOCUMENTS);
    }
  }

  @Test
  void itKeepsTheNameOfItsSet() {
    assertThatThrownBy(() -> start(copy, "other").close())
        .hasMessageContaining("belongs to the replica set rs");
  }

  /** What a standalone writes is in no log, so the log of the set cannot go on with it. */
  @Test
  void aStandaloneThatWritesToItIsNoStateOfTheSet() throws Exception {
    try (WisentServer server =
            WisentServer.start(ServerOptions.builder(copy).port(0).build(), ServerLog.silent());
        RawClient client = new RawClient(server.port())) {
      insert(client, DOCUMENTS);
    }
    assertThatItIsAState(false);
    try (WisentServer server = start(copy, "rs");
        RawClient client = new RawClient(server.port())) {
      initiate(client);
      assertThat(count(client)).isEqualTo(DOCUMENTS + 1);
    }
  }

  private void assertThatItIsAState(boolean expected) {
    try (StorageEngine engine = StorageEngine.open(StorageOptions.defaults(copy))) {
      assertThat(MemberData.isIn(engine)).isEqualTo(expected);
      assertThat(engine.appliedPosition().equals(LogPosition.START)).isEqualTo(!expected);
    }
  }
}
