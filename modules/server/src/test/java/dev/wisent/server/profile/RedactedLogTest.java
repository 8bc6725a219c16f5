package dev.wisent.server.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A log without what clients have stored or asked. */
class RedactedLogTest {
  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(options -> options.redactsClientData(true));

  @Test
  void linesHaveFieldsAndNoValues() {
    SERVER.admin("{setParameter: 1, logComponentVerbosity: {command: {verbosity: 1}}}");
    SERVER.run("{insert: 'people', documents: [{_id: 1, name: 'Berta'}]}");
    SERVER.fail("{insert: 'people', documents: [{_id: 1, name: 'Berta'}], foo: 'Berta'}");
    SERVER.run("{find: 'people', filter: {name: 'Berta', tags: {$in: ['Berta']}}}");
    SERVER.fail("{aggregate: 'people', pipeline: [{$foo: 'Berta'}], cursor: {}}");

    assertThat(SERVER.logLines("\"filter\": {\"name\": \"###\"", "test.people")).isNotEmpty();
    assertThat(SERVER.logLines("Berta")).isEmpty();
    assertThat(SERVER.admin("{getLog: 'global'}").toString()).doesNotContain("Berta");
    assertThat(SERVER.logLines("client metadata", "\"name\": \"tests\"")).isNotEmpty();
  }

  @Test
  void theParameterTurnsItOffAndOn() {
    assertThat(SERVER.admin("{getParameter: 1, redactClientLogData: 1}"))
        .containsEntry("redactClientLogData", org.bson.BsonBoolean.TRUE);
    assertThat(SERVER.admin("{setParameter: 1, redactClientLogData: true}"))
        .containsEntry("was", org.bson.BsonBoolean.TRUE);
  }
}
