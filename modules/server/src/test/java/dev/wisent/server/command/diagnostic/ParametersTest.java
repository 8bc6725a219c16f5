package dev.wisent.server.command.diagnostic;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each parameter does, and what every parameter has in common. */
class ParametersTest {
  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              options
                  .setParameter("logComponentVerbosity", "{network: {verbosity: 1}}")
                  .setParameter("diagnosticDataCollectionEnabled", "false"));

  @AfterEach
  void restore() {
    SERVER.admin(
        "{setParameter: 1, logLevel: 0, logComponentVerbosity: {command: -1, replication:"
            + " {verbosity: -1, election: -1}}, notablescan: false}");
  }

  @Test
  void everyParameterCanBeReadAlone() {
    BsonDocument all = SERVER.admin("{getParameter: {allParameters: true, showDetails: true}}");
    all.remove("ok");
    assertThat(all.size()).isGreaterThan(25);
    for (Map.Entry<String, BsonValue> parameter : all.entrySet()) {
      BsonValue alone =
          SERVER.admin("{getParameter: 1, " + parameter.getKey() + ": 1}").get(parameter.getKey());
      BsonDocument details = parameter.getValue().asDocument();
      assertThat(alone).isEqualTo(details.get("value"));
      BsonDocument same =
          new BsonDocument("setParameter", BsonBoolean.TRUE).append(parameter.getKey(), alone);
      if (parameter.getKey().equals("tlsMode")) {
        // It only goes on to the next mode.
        assertCode(SERVER.fail("admin", same.toJson()), 2);
      } else if (details.getBoolean("settableAtRuntime").getValue()) {
        assertOk(SERVER.admin(same.toJson()));
      } else {
        assertCode(SERVER.fail("admin", same.toJson()), 20);
      }
    }
  }

  @Test
  void logLevelAsOfSetLogLevel() {
    BsonDocument before = SERVER.admin("{setParameter: 1, logComponentVerbosity: {verbosity: 2}}");
    assertThat(number(before, "was.verbosity")).isZero();
    assertThat(number(before, "was.network.verbosity")).isEqualTo(1);
    assertThat(number(before, "was.replication.election.verbosity")).isEqualTo(-1);
    assertThat(number(SERVER.admin("{getParameter: 1, logLevel: 1}"), "logLevel")).isEqualTo(2);
    SERVER.admin("{setParameter: 1, logLevel: 1}");
    SERVER.admin(
        "{setParameter: 1, logComponentVerbosity: {replication: {election: {verbosity: 3}}}}");
    BsonDocument after = SERVER.admin("{getParameter: 1, logComponentVerbosity: 1}");
    assertThat(number(after, "logComponentVerbosity.verbosity")).isEqualTo(1);
    assertThat(number(after, "logComponentVerbosity.replication.verbosity")).isEqualTo(-1);
    assertThat(number(after, "logComponentVerbosity.replication.election.verbosity")).isEqualTo(3);
  }

  @Test
  void commandsAreLoggedFromLevelOneOn() {
    SERVER.run("{find: 'quiet', comment: 'said nothing'}");
    SERVER.admin("{setParameter: 1, logComponentVerbosity: {command: {verbosity: 1}}}");
    SERVER.run("{find: 'loud', comment: 'said something'}");
    assertThat(SERVER.logLines("said something", "durationMillis")).hasSize(1);
    assertThat(SERVER.logLines("said nothing")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logLevel: -1",
        "logLevel: 6",
        "logLevel: 'x'",
        "logComponentVerbosity: 1",
        "logComponentVerbosity: {verbosity: -1}",
        "logComponentVerbosity: {command: 6}",
        "logComponentVerbosity: {nosuch: 1}",
        "logComponentVerbosity: {election: 1}",
        "logComponentVerbosity: {command: {verbosity: 'x'}}",
        "cursorTimeoutMillis: 0",
        "ttlMonitorSleepSecs: 0",
        "notablescan: 'maybe'",
        "diagnosticDataCollectionEnabled: true",
      })
  void badValues(String parameter) {
    assertCode(SERVER.fail("admin", "{setParameter: 1, " + parameter + "}"), 2);
  }

  @Test
  void unknownParameterLeavesTheOthersAsTheyAre() {
    assertCode(SERVER.fail("admin", "{setParameter: 1, logLevel: 3, nosuch: 1}"), 72);
    assertCode(SERVER.fail("admin", "{setParameter: 1, logLevel: 3, maxSessions: 1}"), 20);
    assertThat(number(SERVER.admin("{getParameter: 1, logLevel: 1}"), "logLevel")).isZero();
  }

  @Test
  void scansAreRefusedWhileNotablescanIsOn() {
    SERVER.run("{insert: 'c', documents: [{a: 1}]}");
    assertOk(SERVER.run("{find: 'c', filter: {a: 1}}"));
    SERVER.admin("{setParameter: 1, notablescan: true}");
    assertCode(SERVER.fail("{find: 'c', filter: {a: 1}}"), 291);
    SERVER.admin("{setParameter: 1, notablescan: false}");
    assertOk(SERVER.run("{find: 'c', filter: {a: 1}}"));
  }

  @Test
  void versionOfTheApiCanBeRequired() {
    SERVER.admin("{setParameter: 1, requireApiVersion: true}");
    try {
      assertError(
          SERVER.fail("{find: 'c'}"),
          498870,
          "The apiVersion parameter is required, please configure your MongoClient's API version");
      assertOk(SERVER.run("{find: 'c', apiVersion: '1'}"));
    } finally {
      SERVER.admin("{setParameter: 1, requireApiVersion: false}");
    }
    assertOk(SERVER.run("{find: 'c'}"));
  }
}
