package dev.wisent.server.profile;

import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that was started with {@code operationProfiling}. */
class ProfilingFromTheStartTest {
  private static final ProfilingOptions OPTIONS =
      new ProfilingOptions(1, 20, 0.5, Optional.of("{\"command.comment\": \"seen\"}"));

  @RegisterExtension
  static final EmbeddedServer SERVER = new EmbeddedServer(options -> options.profiling(OPTIONS));

  @Test
  void holdsForEveryDatabase() {
    for (String database : new String[] {"one", "two"}) {
      SERVER.run(database, "{find: 'c', comment: 'seen'}");
      SERVER.run(database, "{find: 'c', comment: 'not seen'}");
      assertThat(number(SERVER.run(database, "{count: 'system.profile'}"), "n")).isEqualTo(1);
      BsonDocument settings = SERVER.run(database, "{profile: -1}");
      assertThat(settings)
          .containsAllEntriesOf(
              BsonDocument.parse(
                  "{was: 1, slowms: 20, sampleRate: 0.5, filter: {'command.comment': 'seen'}}"));
    }
  }

  @Test
  void isTurnedOffForOneDatabase() {
    SERVER.run("three", "{profile: 0}");
    SERVER.run("three", "{find: 'c', comment: 'seen'}");
    assertThat(number(SERVER.run("three", "{count: 'system.profile'}"), "n")).isZero();
    assertThat(number(SERVER.run("four", "{profile: -1}"), "was")).isEqualTo(1);
  }

  @Test
  void isShownAsAnOption() {
    assertThat(
            SERVER
                .admin("{getCmdLineOpts: 1}")
                .getDocument("parsed")
                .getDocument("operationProfiling"))
        .containsAllEntriesOf(
            BsonDocument.parse("{mode: 'slowOp', slowOpThresholdMs: 20, slowOpSampleRate: 0.5}"));
  }

  @Test
  void filterMustBeAQuery() {
    for (String filter : new String[] {"nonsense", "{$nosuch: 1}"}) {
      assertThatThrownBy(
              () ->
                  new ProfileSettings(
                      new ProfilingOptions(1, 20, 1, Optional.of(filter)),
                      Clock.system(),
                      RandomSource.system()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(filter);
    }
  }
}
