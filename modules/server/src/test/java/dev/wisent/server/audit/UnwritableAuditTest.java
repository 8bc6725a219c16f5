package dev.wisent.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.node.WisentServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An audit log on a disk that is always full. */
class UnwritableAuditTest {
  private static final Path FULL = Path.of("/dev/full");

  /** Records neither the start nor clients, so that both work. */
  private static final RawDocument FILTER = RawDocument.parse("{atype: 'createCollection'}");

  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              Files.exists(FULL)
                  ? options.audit(AuditOptions.toFile(FULL, Optional.of(FILTER)))
                  : options);

  @Test
  void auditedCommandsFailAndThenHaveNoEffect() {
    assumeTrue(Files.exists(FULL));
    BsonDocument first = SERVER.fail("{create: 'first'}");
    assertThat(first.getString("codeName").getValue()).isEqualTo("LogWriteFailed");

    assertThat(SERVER.fail("{create: 'second'}").getInt32("code").getValue()).isEqualTo(42);
    assertThat(SERVER.fail("{drop: 'first'}").getInt32("code").getValue()).isEqualTo(42);

    assertThat(SERVER.run("{listCollections: 1, nameOnly: true}").toString())
        .contains("first")
        .doesNotContain("second");
    assertThat(SERVER.logLines("Cannot write to the audit log")).isNotEmpty();
  }

  @Test
  void aServerThatCannotRecordItsStartDoesNotStart(@TempDir Path directory) {
    assumeTrue(Files.exists(FULL));
    ServerOptions options =
        ServerOptions.builder(directory)
            .port(0)
            .audit(AuditOptions.toFile(FULL, Optional.empty()))
            .build();
    assertThatThrownBy(
            () -> WisentServer.start(options, new ServerLog(line -> {}, Clock.system())).close())
        .hasMessageContaining("the audit log cannot be written");
  }
}
