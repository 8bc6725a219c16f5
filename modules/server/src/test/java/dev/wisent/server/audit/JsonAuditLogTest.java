package dev.wisent.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.security.user.Identity;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.harness.TestAccess;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.memory.OperationMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonAuditLogTest {
  private static final UserName ANNA = new UserName("anna", "admin");

  @TempDir private Path directory;
  private final FakeSink sink = new FakeSink();
  private final ClientConnection client =
      new ClientConnection(
          7,
          "127.0.0.1:50000",
          "127.0.0.1:27017",
          new OperationMemory(MessageMemory.ofHeap(Clock.system())));

  private JsonAuditLog log(String filter) {
    return log(sink, Optional.of(RawDocument.parse(filter)));
  }

  private static JsonAuditLog log(AuditSink sink, Optional<RawDocument> filter) {
    return new JsonAuditLog(
        sink, filter, TestAccess.NO_USERS, Clock.system(), RandomSource.system(), Log.silent());
  }

  private static CommandRequest request(String json) {
    CommandRequest request = CommandRequest.of(RawDocument.parse(json), List.of(), false);
    request.readGenericArguments();
    return request;
  }

  @Test
  void anEventHasTheFieldsOfMongoDbs() {
    client.login(new Identity(ANNA, "SCRAM-SHA-256"));
    log("{}").event(AuditAction.DROP_DATABASE, client, RawDocument.parse("{ns: 'shop'}"), 0);

    assertThat(sink.lines).hasSize(1);
    assertThat(sink.lines.getFirst())
        .matches(
            "\\{\"atype\": \"dropDatabase\", \"ts\": \\{\"\\$date\":"
                + " \"[0-9-]+T[0-9:]+\\.[0-9]{3}\\+00:00\"}, \"uuid\": \\{\"\\$binary\":"
                + " \"[A-Za-z0-9+/=]{24}\", \"\\$type\": \"04\"}, \"local\": \\{\"ip\":"
                + " \"127\\.0\\.0\\.1\", \"port\": 27017}, \"remote\": \\{\"ip\":"
                + " \"127\\.0\\.0\\.1\", \"port\": 50000}, \"users\": \\[\\{\"user\": \"anna\","
                + " \"db\": \"admin\"}], \"roles\": \\[], \"param\": \\{\"ns\": \"shop\"},"
                + " \"result\": 0}");
  }

  @Test
  void aLoginNamesItsUserOnlyIfItSucceeds() {
    JsonAuditLog log = log("{}");
    log.authenticated(client, ANNA, "SCRAM-SHA-256", 18);
    log.authenticated(client, ANNA, "SCRAM-SHA-256", 0);

    assertThat(sink.lines.get(0))
        .contains("\"users\": []")
        .contains(
            "\"param\": {\"user\": \"anna\", \"db\": \"admin\", \"mechanism\": \"SCRAM-SHA-256\"},"
                + " \"result\": 18");
    assertThat(sink.lines.get(1))
        .contains("\"users\": [{\"user\": \"anna\", \"db\": \"admin\"}]")
        .endsWith("\"result\": 0}");
  }

  @Test
  void aRefusedCommandIsRecordedWithoutItsSecrets() {
    JsonAuditLog log = log("{}");
    log.authCheckFailed(client, request("{createUser: 'eve', pwd: 'geheim', $db: 'shop'}"));
    log.authCheckFailed(client, request("{saslStart: 1, payload: 'geheim', $db: 'shop'}"));

    assertThat(sink.lines).hasSize(2).noneMatch(line -> line.contains("geheim"));
    assertThat(sink.lines.getFirst())
        .contains("\"atype\": \"authCheck\"", "\"command\": \"createUser\"", "\"pwd\": \"xxx\"")
        .endsWith("\"result\": 13}");
  }

  @Test
  void successfulChecksAreRecordedWhereThatIsAskedForAndNotThoseOfMembers() {
    JsonAuditLog log = log("{}");
    log.authCheckSucceeded(client, request("{find: 'a', $db: 'shop'}"));
    assertThat(sink.lines).isEmpty();

    log.tellSuccessfulChecks(true);
    log.authCheckSucceeded(client, request("{find: 'a', $db: 'shop'}"));
    client.login(new Identity(UserName.SYSTEM, "SCRAM-SHA-256"));
    log.authCheckSucceeded(client, request("{find: 'b', $db: 'shop'}"));

    assertThat(sink.lines).hasSize(1);
    assertThat(sink.lines.getFirst()).contains("\"ns\": \"shop.a\"").endsWith("\"result\": 0}");
  }

  @Test
  void aLogoutNamesWhoWasLoggedIn() {
    log("{}").loggedOut(client, ANNA, AuditLog.EXPLICIT_LOGOUT + "admin");

    assertThat(sink.lines.getFirst())
        .contains(
            "{\"reason\": \"Explicit logout from admin\", \"initialUsers\": [{\"user\": \"anna\","
                + " \"db\": \"admin\"}], \"updatedUsers\": []}");
  }

  @Test
  void theFilterIsAQueryOnTheEvent() {
    JsonAuditLog log = log("{atype: {$in: ['dropUser', 'authenticate']}, 'param.db': 'shop'}");
    log.event(AuditAction.DROP_USER, client, RawDocument.parse("{user: 'a', db: 'shop'}"), 0);
    log.event(AuditAction.DROP_USER, client, RawDocument.parse("{user: 'b', db: 'other'}"), 0);
    log.event(AuditAction.DROP_ROLE, client, RawDocument.parse("{role: 'c', db: 'shop'}"), 0);

    assertThat(sink.lines).hasSize(1);
    assertThatThrownBy(() -> log("{$foo: 1}")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatCannotBeWrittenFailsAndIsWrittenFirstLater() {
    JsonAuditLog log = log("{}");
    sink.full = true;
    assertThatThrownBy(
            () -> log.event(AuditAction.SHUTDOWN, client, RawDocument.parse("{n: 1}"), 0))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_WRITE_FAILED));
    assertThatThrownBy(log::requireWritable).isInstanceOf(CommandException.class);

    sink.full = false;
    log.requireWritable();
    log.event(AuditAction.DROP_DATABASE, client, RawDocument.parse("{n: 2}"), 0);
    assertThat(sink.lines).hasSize(2);
    assertThat(sink.lines.getFirst()).contains("{\"n\": 1}");
  }

  @Test
  void whatWaitsForAFullDiskIsBounded() {
    JsonAuditLog log = log("{}");
    sink.full = true;
    for (int i = 0; i < JsonAuditLog.WAITING_MAX + 10; i++) {
      assertThatThrownBy(() -> log.authenticated(client, ANNA, "SCRAM-SHA-1", 18))
          .isInstanceOf(CommandException.class);
    }
    sink.full = false;
    log.requireWritable();
    assertThat(sink.lines).hasSize(JsonAuditLog.WAITING_MAX);
  }

  @Test
  void theFileIsForItsOwnerAndGoesOnWhereItWas() throws IOException {
    Path file = directory.resolve("audit.json");
    for (int i = 0; i < 2; i++) {
      try (JsonAuditLog log = log(new AuditFile(file, Clock.system()), Optional.empty())) {
        log.event(AuditAction.CREATE_DATABASE, client, RawDocument.parse("{ns: 'a'}"), 0);
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void rotationBeginsAnotherFile() throws IOException {
    Path file = directory.resolve("audit.json");
    try (JsonAuditLog log = log(new AuditFile(file, Clock.system()), Optional.empty())) {
      log.event(AuditAction.CREATE_DATABASE, client, RawDocument.parse("{ns: 'a'}"), 0);
      Path aside = log.rotate().orElseThrow();
      assertThat(Files.readString(aside)).contains("createDatabase");
      assertThat(BsonDocument.parse(Files.readString(file)).getString("atype").getValue())
          .isEqualTo("rotateLog");
    }
  }

  /** A disk that may be full. */
  private static final class FakeSink implements AuditSink {
    private final List<String> lines = new ArrayList<>();
    private boolean full;

    @Override
    public void write(String line) throws IOException {
      if (full) {
        throw new IOException("No space left on device");
      }
      lines.add(line);
    }

    @Override
    public boolean recovered() {
      return false;
    }

    @Override
    public Optional<Path> rotate() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
