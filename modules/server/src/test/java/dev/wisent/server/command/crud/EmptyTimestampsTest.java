package dev.wisent.server.command.crud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Replies;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Empty timestamps at the top level get the current time, unless a command keeps them. */
class EmptyTimestampsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final BsonTimestamp EMPTY = new BsonTimestamp(0);

  @BeforeEach
  void fill() {
    SERVER.fresh("c");
    SERVER.run("{insert: 'c', documents: [{_id: 1, a: 1}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{insert: 'c', documents: [{_id: 2, t: T}]}",
        "{insert: 'c', documents: [{t: T, _id: 2}]}",
        "{insert: 'new', documents: [{_id: 2, t: T}]}",
        "{update: 'c', updates: [{q: {_id: 1}, u: {t: T}}]}",
        "{update: 'c', updates: [{q: {_id: 2}, u: {t: T}, upsert: true}]}",
        "{findAndModify: 'c', query: {_id: 1}, update: {t: T}}",
      })
  void aCommandSaysWhetherTheyStay(String command) {
    String text = command.replace("T", "{$timestamp: {t: 0, i: 0}}");
    assertThat(stored(text, "false")).isNotEqualTo(EMPTY);
    fill();
    assertThat(stored(text, "true")).isEqualTo(EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{insert: 0, document: {_id: 2, t: T}}",
        "{update: 0, filter: {_id: 1}, updateMods: {t: T}}",
      })
  void soDoesBulkWrite(String operation) {
    String text = "{bulkWrite: 1, ops: [" + operation + "], nsInfo: [{ns: 'test.c'}]}";
    String command = text.replace("T", "{$timestamp: {t: 0, i: 0}}");
    SERVER.admin(command);
    assertThat(found("c")).isNotEqualTo(EMPTY);
    fill();
    SERVER.admin(with(command, "true"));
    assertThat(found("c")).isEqualTo(EMPTY);
  }

  private static Object stored(String command, String keep) {
    SERVER.fresh("new");
    SERVER.run(with(command, keep));
    return found(command.contains("'new'") ? "new" : "c");
  }

  private static String with(String command, String keep) {
    return command.substring(0, command.length() - 1) + ", bypassEmptyTsReplacement: " + keep + "}";
  }

  private static Object found(String collection) {
    return Replies.batch(SERVER.run("{find: '" + collection + "', filter: {t: {$exists: true}}}"))
        .getFirst()
        .asDocument()
        .get("t");
  }
}
