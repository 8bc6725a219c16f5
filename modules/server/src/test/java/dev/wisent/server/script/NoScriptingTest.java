package dev.wisent.server.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that was started without JavaScript. */
class NoScriptingTest {
  @RegisterExtension
  static final EmbeddedServer SERVER = new EmbeddedServer(options -> options.scripting(false));

  @Test
  void whereIsRefused() {
    BsonDocument error = SERVER.fail("{find: 'c', filter: {$where: 'true'}}");
    assertThat(error.getInt32("code").getValue()).isEqualTo(6108304);
    assertThat(error.getString("errmsg").getValue())
        .isEqualTo("no globalScriptEngine in $where parsing");
    assertThat(SERVER.run("{find: 'c', filter: {a: 1}}").getDouble("ok").getValue()).isEqualTo(1);
  }
}
