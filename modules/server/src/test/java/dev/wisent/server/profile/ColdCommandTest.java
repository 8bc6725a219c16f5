package dev.wisent.server.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands that are slow because the Java runtime has not seen them yet. */
class ColdCommandTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @Test
  void firstCallsAreSlowOnlyBeyondASecondMore() {
    SERVER.run("{profile: 0, slowms: 2}");
    SERVER.admin(
        "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {failCommands:"
            + " ['dataSize'], blockConnection: true, blockTimeMS: 4}}");
    for (int i = 1; i <= 11; i++) {
      SERVER.run("{dataSize: 'test.c', comment: 'call " + i + ".'}");
    }
    SERVER.admin("{configureFailPoint: 'failCommand', mode: 'off'}");
    for (int i = 1; i <= 10; i++) {
      assertThat(SERVER.logLines("Slow query", "call " + i + "."))
          .allMatch(line -> line.matches(".*\"durationMillis\":[0-9]{4,}.*"));
    }
    assertThat(SERVER.logLines("Slow query", "call 11.")).hasSize(1);
  }
}
