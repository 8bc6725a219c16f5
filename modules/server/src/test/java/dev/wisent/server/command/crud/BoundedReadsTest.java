package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Replies;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What reads gather and what cursors keep has a bound. */
class BoundedReadsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String LONG_TEXT = "x".repeat(1 << 20);

  @BeforeAll
  static void fill() {
    SERVER
        .fresh("texts")
        .insertMany(
            IntStream.range(0, 20)
                .mapToObj(i -> BsonDocument.parse("{n: %d, t: '%d%s'}".formatted(i, i, LONG_TEXT)))
                .toList());
  }

  @Test
  void distinctEndsWhereNoReplyHasRoom() {
    assertError(SERVER.fail("{distinct: 'texts', key: 't'}"), 17217, "distinct too big, 16mb cap");
    assertThat(SERVER.run("{distinct: 'texts', key: 'n'}").getArray("values")).hasSize(20);
    assertThat(SERVER.run("{distinct: 'texts', key: 't', query: {n: {$lt: 3}}}").getArray("values"))
        .hasSize(3);
  }

  @Test
  void idleCursorsShowLargeCommandsCut() {
    SERVER.run(
        "{find: 'texts', filter: {t: {$ne: '%s'}}, projection: {n: 1}, batchSize: 1, comment: 'cut'}"
            .formatted(LONG_TEXT));
    BsonDocument shown =
        SERVER.admin(
            "{aggregate: 1, pipeline: [{$currentOp: {idleCursors: true}}, {$match: {type:"
                + " 'idleCursor'}}], cursor: {}}");
    assertThat(Replies.batch(shown).getFirst().asDocument().getDocument("cursor"))
        .containsEntry(
            "originatingCommand", BsonDocument.parse("{$truncated: 'find', comment: 'cut'}"));
  }

  @Test
  void argumentsDoNotKeepALargeMessage() {
    RawDocument body =
        new BsonBuilder()
            .appendString("find", "texts")
            .startDocument("filter")
            .appendInt32("n", 1)
            .end()
            .appendString("comment", LONG_TEXT)
            .appendString("$db", "test")
            .toDocument();
    ArgumentReader reader = ArgumentReader.of(CommandRequest.of(body, List.of(), false));
    assertThat(reader.next()).isTrue();
    assertThat(reader.document()).isEqualTo(RawDocument.parse("{n: 1}"));
    assertThat(reader.document().bytes()).hasSizeLessThan(100);
  }

  @Test
  void metadataIsSortedByOnce() {
    SERVER.run("{insert: 'few', documents: [{_id: 1}, {_id: 2}, {_id: 3}]}");
    BsonDocument sorted =
        SERVER.run(
            "{aggregate: 'few', pipeline: [{$sample: {size: 3}}, {$sort: {p: {$meta: 'randVal'},"
                + " q: {$meta: 'randVal'}, _id: 1}}], cursor: {}}");
    assertThat(Replies.batch(sorted)).hasSize(3);
    SERVER.run("{createIndexes: 'few', indexes: [{key: {t: 'text'}, name: 't'}]}");
    SERVER.run("{update: 'few', updates: [{q: {}, u: {$set: {t: 'word'}}, multi: true}]}");
    BsonDocument found =
        SERVER.run(
            "{find: 'few', filter: {$text: {$search: 'word'}}, sort: {p: {$meta: 'textScore'}, q:"
                + " {$meta: 'textScore'}, _id: -1}}");
    assertThat(Replies.batch(found).getFirst().asDocument().getInt32("_id").getValue())
        .isEqualTo(3);
  }
}
