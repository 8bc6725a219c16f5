package dev.wisent.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code backupBegin}, {@code backupRead} and {@code backupEnd}. */
class BackupCommandsTest {
  private static final int OPEN_MAX = 4;
  private static final String CANNOT_BACKUP = "CannotBackup";

  @TempDir Path directory;
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, new FakeReplicaSet(3));
    run("{insert: 'c', documents: [{_id: 1}, {_id: 2}], $db: 'test'}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private BsonDocument run(String json) {
    BsonDocument command = BsonDocument.parse(json);
    if (!command.containsKey("$db")) {
      command.append("$db", new BsonString("admin"));
    }
    return server.run(command.toJson());
  }

  private BsonDocument begin() {
    BsonDocument reply = run("{backupBegin: 1}");
    assertThat(reply.getNumber("ok").intValue()).as(reply.toJson()).isEqualTo(1);
    return reply;
  }

  private static String id(BsonDocument backup) {
    return "{$numberLong: '%d'}".formatted(backup.getInt64("backup").getValue());
  }

  private void refused(String json, String code) {
    BsonDocument reply = run(json);
    assertThat(reply.getString("codeName").getValue()).as(reply.toJson()).isEqualTo(code);
  }

  private long open() throws IOException {
    Path backups = directory.resolve("_backup");
    if (!Files.exists(backups)) {
      return 0;
    }
    try (Stream<Path> each = Files.list(backups)) {
      return each.count();
    }
  }

  @Test
  void theFilesMakeADataDirectory() throws IOException {
    BsonDocument backup = begin();
    assertThat(backup.getInt32("storageFormat").getValue()).isEqualTo(1);
    assertThat(backup).containsKeys("version", "host", "setName");
    List<String> names = new ArrayList<>();
    for (BsonValue each : backup.getArray("files")) {
      BsonDocument file = each.asDocument();
      String name = file.getString("name").getValue();
      names.add(name);
      assertThat(file.containsKey("identity")).isEqualTo(name.endsWith(".sst"));
      BsonDocument part = run("{backupRead: %s, file: '%s'}".formatted(id(backup), name));
      byte[] bytes = part.getBinary("data").getData();
      assertThat(bytes).hasSize((int) file.getInt64("size").getValue());
      if (bytes.length < 7) {
        continue;
      }
      BsonDocument middle =
          run("{backupRead: %s, file: '%s', offset: 3, length: 4}".formatted(id(backup), name));
      assertThat(middle.getBinary("data").getData()).isEqualTo(Arrays.copyOfRange(bytes, 3, 7));
    }
    assertThat(names).contains("wisent.format", "data/CURRENT").anyMatch(n -> n.endsWith(".sst"));
    assertThat(names).noneMatch(name -> name.contains("LOG"));
    assertThat(run("{backupEnd: %s}".formatted(id(backup))).getBoolean("ended").getValue())
        .isTrue();
    assertThat(open()).isZero();
    assertThat(run("{backupEnd: %s}".formatted(id(backup))).getBoolean("ended").getValue())
        .isFalse();
  }

  @Test
  void onlyWhatIsListedIsRead() {
    String id = id(begin());
    refused("{backupRead: 1, file: 'wisent.format'}", CANNOT_BACKUP);
    refused("{backupRead: %s, file: '../wisent.format'}".formatted(id), CANNOT_BACKUP);
    refused("{backupRead: %s, file: 'data'}".formatted(id), CANNOT_BACKUP);
    refused("{backupRead: %s, file: 'wisent.format', offset: 1000}".formatted(id), "BadValue");
    refused("{backupRead: %s, file: 'wisent.format', offset: -1}".formatted(id), "BadValue");
    refused(
        "{backupRead: %s, file: 'wisent.format', length: %d}".formatted(id, (8 << 20) + 1),
        "BadValue");
    refused("{backupRead: 'x', file: 'wisent.format'}", "TypeMismatch");
    refused("{backupBegin: 1, other: 1}", "IDLUnknownField");
  }

  @Test
  void thereAreFewAtATime() throws IOException {
    BsonDocument first = begin();
    for (int i = 1; i < OPEN_MAX; i++) {
      begin();
    }
    refused("{backupBegin: 1}", CANNOT_BACKUP);
    assertThat(open()).isEqualTo(OPEN_MAX);
    run("{backupEnd: %s}".formatted(id(first)));
    begin();
  }

  @Test
  void oneThatIsNotReadExpires() throws IOException {
    String used = id(begin());
    String idle = id(begin());
    server.pass(Duration.ofMinutes(6));
    run("{backupRead: %s, file: 'wisent.format'}".formatted(used));
    server.pass(Duration.ofMinutes(6));
    begin();
    assertThat(open()).isEqualTo(2);
    refused("{backupRead: %s, file: 'wisent.format'}".formatted(idle), CANNOT_BACKUP);
    run("{backupRead: %s, file: 'wisent.format'}".formatted(used));
  }

  @Test
  void aFullDiskEndsThem() throws IOException {
    String first = id(begin());
    String ended = id(begin());
    run("{backupEnd: %s}".formatted(ended));
    String second = id(begin());
    server.fillDisk(false);
    run("{backupRead: %s, file: 'wisent.format'}".formatted(first));
    server.fillDisk(true);
    assertThat(open()).as("files of backups").isZero();
    for (String id : List.of(first, second)) {
      String read = "{backupRead: %s, file: 'wisent.format'}".formatted(id);
      refused(read, "OutOfDiskSpace");
      assertThat(run(read).getString("errmsg").getValue())
          .contains("was given up: the disk of the server is full");
    }
    refused("{backupRead: %s, file: 'wisent.format'}".formatted(ended), CANNOT_BACKUP);
    refused("{backupBegin: 1}", "OutOfDiskSpace");
    server.fillDisk(false);
    for (int i = 0; i < OPEN_MAX; i++) {
      begin();
    }
  }

  @Test
  void oneThatMustStopLeavesNothing() throws IOException {
    BsonDocument reply = server.run("{backupBegin: 1, $db: 'admin'}", () -> true);
    assertThat(reply.getNumber("ok").intValue()).as(reply.toJson()).isZero();
    assertThat(open()).isZero();
    refused("{backupBegin: 1, maxTimeMS: -1}", "BadValue");
  }

  @Test
  void notWhileWritesAreLocked() throws IOException {
    run("{fsync: 1, lock: true}");
    refused("{backupBegin: 1}", CANNOT_BACKUP);
    run("{fsyncUnlock: 1}");
    begin();
    assertThat(open()).isEqualTo(1);
  }

  @Test
  void whatACrashLeavesIsRemoved() throws IOException {
    begin();
    server.close();
    Files.createDirectories(directory.resolve("_backup/17.incomplete/data"));
    server = new MemberServer(directory, new FakeReplicaSet(3));
    assertThat(open()).isZero();
  }
}
