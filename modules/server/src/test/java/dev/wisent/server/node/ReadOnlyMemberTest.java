package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A member's data directory under a server without {@code --replSet}. */
@Execution(ExecutionMode.CONCURRENT)
class ReadOnlyMemberTest {
  private static final int DOCUMENTS = 300;

  private static final List<String> WRITES =
      List.of(
          "{insert: 'c', documents: [{}], $db: 'test'}",
          "{update: 'c', updates: [{q: {}, u: {$set: {x: 1}}}], $db: 'test'}",
          "{delete: 'c', deletes: [{q: {}, limit: 0}], $db: 'test'}",
          "{findAndModify: 'c', query: {}, remove: true, $db: 'test'}",
          "{create: 'd', $db: 'test'}",
          "{drop: 'c', $db: 'test'}",
          "{dropDatabase: 1, $db: 'test'}",
          "{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x'}], $db: 'test'}",
          "{aggregate: 'c', pipeline: [{$out: 'd'}], cursor: {}, $db: 'test'}",
          "{aggregate: 'c', pipeline: [{$merge: 'd'}], cursor: {}, $db: 'test'}",
          "{insert: 'notes', documents: [{}], $db: 'local'}",
          "{createUser: 'u', pwd: 'p', roles: [], $db: 'test'}",
          "{renameCollection: 'test.c', to: 'test.d', $db: 'admin'}",
          "{compact: 'c', $db: 'test'}",
          "{profile: 2, $db: 'test'}");

  @TempDir Path directory;

  private static WisentServer start(Path data, String set, List<String> log) throws Exception {
    return WisentServer.start(
        ServerOptions.builder(data).port(0).replicaSet(set).build(),
        new ServerLog(log::add, Clock.system()));
  }

  private static BsonDocument run(RawClient client, String command) {
    BsonDocument reply = client.run(command);
    assertThat(reply.getNumber("ok").doubleValue()).as(reply.toJson()).isEqualTo(1);
    return reply;
  }

  private static int number(RawClient client, String command, String field) {
    return run(client, command).getNumber(field).intValue();
  }

  /** A member with data, copied while it runs: it is not closed in the copy. */
  private String write(Path member, Path copied) throws Exception {
    try (WisentServer server = start(member, "rs", new CopyOnWriteArrayList<>());
        RawClient client = new RawClient(server.port())) {
      run(client, "{replSetInitiate: {}, $db: 'admin'}");
      Eventually.await(
          "it leads",
          () -> run(client, "{hello: 1, $db: 'admin'}").getBoolean("isWritablePrimary").getValue());
      run(client, "{createIndexes: 'c', indexes: [{key: {n: 1}, name: 'n'}], $db: 'test'}");
      for (int i = 0; i < DOCUMENTS; i++) {
        run(client, "{insert: 'c', documents: [{_id: " + i + ", n: " + i % 7 + "}], $db: 'test'}");
      }
      run(client, "{insert: 'notes', documents: [{_id: 1}], $db: 'local'}");
      run(
          client,
          "{createIndexes: 'e', indexes: [{key: {t: 1}, name: 't', expireAfterSeconds: 0}], $db:"
              + " 'test'}");
      String hash = run(client, "{dbHash: 1, $db: 'test'}").getString("md5").getValue();
      run(client, "{fsync: 1, lock: true, $db: 'admin'}");
      copy(member, copied);
      run(client, "{fsyncUnlock: 1, $db: 'admin'}");
      return hash;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
  }

  /** Names, times and contents of everything. */
  private static Map<String, String> state(Path directory) throws Exception {
    Map<String, String> state = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        String hash =
            Files.isDirectory(file)
                ? ""
                : HexFormat.of()
                    .formatHex(
                        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        state.put(
            directory.relativize(file).toString(), Files.getLastModifiedTime(file) + " " + hash);
      }
    }
    return state;
  }

  @Test
  void whatTheMemberHasIsServedAndNothingIsChanged() throws Exception {
    Path copied = directory.resolve("copied");
    String hash = write(directory.resolve("member"), copied);
    Map<String, String> before = state(copied);
    List<String> log = new CopyOnWriteArrayList<>();
    try (WisentServer server = start(copied, null, log);
        RawClient client = new RawClient(server.port())) {
      checkReads(client, hash);
      checkWrites(client);
      checkWhatIsSaid(client);
      run(client, "{fsync: 1, $db: 'admin'}");
      run(client, "{setParameter: 1, ttlMonitorSleepSecs: 1, $db: 'admin'}");
      Eventually.await(
          "the TTL monitor has run",
          () ->
              run(client, "{serverStatus: 1, $db: 'admin'}")
                      .getDocument("metrics")
                      .getDocument("ttl")
                      .getNumber("passes")
                      .longValue()
                  > 1);
    }
    assertThat(state(copied)).isEqualTo(before);
    assertThat(log).noneMatch(line -> line.contains("\"s\":\"E\""));

    try (WisentServer server = start(copied, "rs", new CopyOnWriteArrayList<>());
        RawClient client = new RawClient(server.port())) {
      Eventually.await(
          "the member has what its log has",
          () ->
              client
                      .run("{count: 'c', $db: 'test', $readPreference: {mode: 'nearest'}}")
                      .getNumber("n", null)
                  != null);
      assertThat(
              number(client, "{count: 'c', $db: 'test', $readPreference: {mode: 'nearest'}}", "n"))
          .isEqualTo(DOCUMENTS);
    }
  }

  private static void checkReads(RawClient client, String hash) {
    assertThat(number(client, "{count: 'c', $db: 'test'}", "n")).isEqualTo(DOCUMENTS);
    assertThat(run(client, "{dbHash: 1, $db: 'test'}").getString("md5").getValue()).isEqualTo(hash);
    assertThat(
            run(client, "{find: 'c', filter: {n: 3}, hint: 'n', $db: 'test'}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .hasSize(43);
    BsonDocument validation = run(client, "{validate: 'c', full: true, $db: 'test'}");
    assertThat(validation.getBoolean("valid").getValue()).as(validation.toJson()).isTrue();
    assertThat(
            run(client, "{listIndexes: 'c', $db: 'test'}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .hasSize(2);
    run(
        client,
        "{aggregate: 'c', pipeline: [{$group: {_id: '$n', all: {$push: '$$ROOT'}}}, {$sort: {_id:"
            + " 1}}], allowDiskUse: true, cursor: {}, $db: 'test'}");
    assertThat(number(client, "{count: 'notes', $db: 'local'}", "n")).isEqualTo(1);
    assertThat(number(client, "{count: 'oplog.rs', $db: 'local'}", "n")).isGreaterThan(DOCUMENTS);
    run(client, "{listDatabases: 1, $db: 'admin'}");
    run(client, "{collStats: 'c', $db: 'test'}");
  }

  private static void checkWrites(RawClient client) {
    for (String write : WRITES) {
      BsonDocument reply = client.run(write);
      assertThat(reply.getNumber("ok").intValue()).as(write + reply.toJson()).isZero();
      assertThat(reply.getNumber("code").intValue()).as(write + reply.toJson()).isEqualTo(20);
      assertThat(reply.getString("errmsg").getValue()).as(write).contains("read-only");
    }
    assertThat(client.run("{backupBegin: 1, $db: 'admin'}").getString("errmsg").getValue())
        .contains("can be copied as it is");
  }

  private static void checkWhatIsSaid(RawClient client) {
    BsonDocument hello = run(client, "{hello: 1, $db: 'admin'}");
    assertThat(hello.getBoolean("readOnly").getValue()).isTrue();
    assertThat(hello).doesNotContainKey("setName").doesNotContainKey("isreplicaset");
    assertThat(
            run(client, "{serverStatus: 1, $db: 'admin'}")
                .getDocument("storageEngine")
                .getBoolean("readOnly")
                .getValue())
        .isTrue();
    assertThat(run(client, "{getLog: 'startupWarnings', $db: 'admin'}").getArray("log").toString())
        .contains("belongs to a member of the replica set rs")
        .containsPattern("Timestamp\\(\\d{9,}, \\d+\\), t: 1\\} of 20")
        .contains("later entries of its replicated log are not in it");
  }

  @Test
  void aMemberThatRunsIsNotOpenedASecondTimeNorTheOtherWayRound() throws Exception {
    Path member = directory.resolve("member");
    write(member, directory.resolve("copied"));
    List<String> log = new CopyOnWriteArrayList<>();
    try (WisentServer running = start(member, "rs", log);
        RawClient client = new RawClient(running.port())) {
      assertThatThrownBy(() -> start(member, null, log).close()).hasMessageContaining("in use");
      Eventually.await(
          "it leads",
          () -> run(client, "{hello: 1, $db: 'admin'}").getBoolean("isWritablePrimary").getValue());
      run(client, "{insert: 'c', documents: [{_id: 'later'}], $db: 'test'}");
    }
    try (WisentServer running = start(member, null, log);
        RawClient client = new RawClient(running.port())) {
      assertThatThrownBy(() -> start(member, "rs", log).close()).hasMessageContaining("in use");
      assertThat(number(client, "{count: 'c', $db: 'test'}", "n")).isEqualTo(DOCUMENTS + 1);
    }
    start(member, "rs", log).close();
  }
}
