package dev.wisent.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.command.ShownCommand;
import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenPasswordsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{createUser: 'a', pwd: 'hush'}",
        "{updateUser: 'a', pwd: 'hush'}",
        "{saslStart: 1, payload: 'hush'}",
        "{saslContinue: 1, payload: 'hush'}",
        "{hello: 1, speculativeAuthenticate: {payload: 'hush'}}",
        "{isMaster: 1, speculativeAuthenticate: {payload: 'hush'}}",
      })
  void secretsAreNotShown(String json) {
    RawDocument command = RawDocument.parse(json);
    String name = command.toBsonDocument().getFirstKey();
    assertThat(ShownCommand.of(command, name, null, 1000).toJson())
        .contains("xxx")
        .doesNotContain("hush");
  }

  @Test
  void otherCommandsAreShownAsTheyAre() {
    RawDocument command = RawDocument.parse("{insert: 'a', pwd: 'x'}");
    assertThat(ShownCommand.of(command, "insert", null, 1000)).isSameAs(command);
  }

  @Test
  void neitherLogsNorProfilesHavePasswords() {
    SERVER.run("{profile: 2, slowms: 0}");
    SERVER.run("{createUser: 'ann', pwd: 'hush-hush', roles: []}");
    SERVER.run("{updateUser: 'ann', pwd: 'hush-again'}");
    SERVER.fail("{createUser: 'ann', pwd: 'hush-hush', roles: ['none'], x: 1}");
    SERVER.run("{profile: 0, slowms: 100}");
    assertThat(SERVER.logLines("createUser")).isNotEmpty();
    assertThat(SERVER.logLines("hush")).isEmpty();
    for (BsonDocument entry :
        SERVER.database("test").getCollection("system.profile", BsonDocument.class).find()) {
      assertThat(entry.toJson()).doesNotContain("hush");
    }
  }
}
