package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of {@code validate}. */
class ValidateTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void collection() {
    SERVER.fresh("c");
    SERVER.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        // PyMongo sends both, always.
        "scandata: false, full: false",
        "scandata: true, full: true",
        "scandata: false, full: false, background: true",
        "checkBSONConformance: true",
        "enforceFastCount: true",
        "repair: false, fixMultikey: false, metadata: false",
      })
  void optionsOfAFullCheck(String options) {
    BsonDocument reply = SERVER.run("{validate: 'c', " + options + "}");
    assertThat(reply.getBoolean("valid").getValue()).isTrue();
    assertThat(number(reply, "nrecords")).isEqualTo(2);
    assertThat(number(reply, "nIndexes")).isEqualTo(1);
  }

  @Test
  void metadataReadsNoDocuments() {
    BsonDocument reply = SERVER.run("{validate: 'c', metadata: true}");
    assertThat(reply.getBoolean("valid").getValue()).isTrue();
    assertThat(number(reply, "nIndexes")).isEqualTo(1);
    assertThat(reply.getDocument("indexDetails")).containsOnlyKeys("_id_");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "background, full",
        "background, enforceFastCount",
        "background, repair",
        "enforceFastCount, repair",
        "checkBSONConformance, repair",
      })
  void optionsThatExcludeEachOther(String pair) {
    String[] names = pair.split(", ");
    assertError(
        SERVER.fail("{validate: 'c', " + names[0] + ": true, " + names[1] + ": true}"),
        72,
        "Running the validate command with both { %s: true } and { %s: true } is not supported."
            .formatted(names[0], names[1]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"full", "background", "repair", "checkBSONConformance"})
  void metadataStandsAlone(String other) {
    assertError(
        SERVER.fail("{validate: 'c', metadata: true, " + other + ": true}"),
        72,
        "Running the validate command with { metadata: true } is not supported with any other"
            + " options");
  }

  @Test
  void changesAreNotSupported() {
    assertCode(SERVER.fail("{validate: 'c', repair: true}"), 238);
    assertCode(SERVER.fail("{validate: 'c', fixMultikey: true}"), 238);
  }
}
