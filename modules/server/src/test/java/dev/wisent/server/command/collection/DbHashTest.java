package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** dbHash. */
class DbHashTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void empty() {
    SERVER.run("hashes", "{dropDatabase: 1}");
  }

  @Test
  void hashesTheBytesInTheOrderOfIds() throws Exception {
    run("{insert: 'c', documents: [{_id: 2, a: 'x'}, {_id: 1}]}");
    BsonDocument reply = run("{dbHash: 1}");
    MessageDigest expected = MessageDigest.getInstance("MD5");
    expected.update(RawDocument.parse("{_id: 1}").toByteArray());
    expected.update(RawDocument.parse("{_id: 2, a: 'x'}").toByteArray());
    String hash = HexFormat.of().formatHex(expected.digest());
    assertThat(reply.keySet())
        .startsWith("host", "collections", "capped", "uuids", "md5", "timeMillis", "ok");
    assertThat(reply.getDocument("collections").getString("c").getValue()).isEqualTo(hash);
    assertThat(reply.getDocument("uuids").getBinary("c").getType()).isEqualTo((byte) 4);
    byte[] whole = MessageDigest.getInstance("MD5").digest(hash.getBytes("US-ASCII"));
    assertThat(reply.getString("md5").getValue()).isEqualTo(HexFormat.of().formatHex(whole));
  }

  @Test
  void doesNotDependOnTheOrderOfWritesOrTheHistory() {
    run(
        "{insert: 'a', documents: [{_id: 1, x: 1}, {_id: 'b'}, {_id: {$oid:"
            + " '000000000000000000000001'}}]}");
    String first = run("{dbHash: 1}").getDocument("collections").getString("a").getValue();
    run("{drop: 'a'}");
    run(
        "{insert: 'a', documents: [{_id: {$oid: '000000000000000000000001'}}, {_id: 7}, {_id: 'b'},"
            + " {_id: 1, x: 0}]}");
    run("{createIndexes: 'a', indexes: [{key: {x: 1}, name: 'x_1'}]}");
    run("{delete: 'a', deletes: [{q: {_id: 7}, limit: 1}]}");
    assertThat(hash("a")).isNotEqualTo(first);
    run("{update: 'a', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]}");
    assertThat(hash("a")).isEqualTo(first);
  }

  @Test
  void cappedAndClusteredCollections() {
    run("{create: 'capped', capped: true, size: 4096}");
    run("{create: 'clustered', clusteredIndex: {key: {_id: 1}, unique: true}}");
    run("{insert: 'capped', documents: [{_id: 2}, {_id: 1}]}");
    run("{insert: 'clustered', documents: [{_id: 2}, {_id: 1}]}");
    run("{insert: 'ordinary', documents: [{_id: 2}, {_id: 1}]}");
    BsonDocument reply = run("{dbHash: 1}");
    assertThat(reply.getArray("capped").getFirst().asString().getValue()).isEqualTo("capped");
    assertThat(hash("clustered")).isEqualTo(hash("ordinary")).isNotEqualTo(hash("capped"));
  }

  @Test
  void someCollections() {
    run("{insert: 'a', documents: [{}]}");
    run("{insert: 'b', documents: [{}]}");
    assertThat(run("{dbHash: 1, collections: ['b', 'nosuch']}").getDocument("collections").keySet())
        .containsExactly("b");
    assertCode(SERVER.fail("hashes", "{dbHash: 1, collections: 'b'}"), 14);
    assertCode(SERVER.fail("hashes", "{dbHash: 1, collections: [1]}"), 14);
    assertCode(SERVER.fail("hashes", "{dbHash: 1, x: 1}"), 40415);
  }

  @Test
  void whatTheServerWritesForItselfDoesNotCount() {
    run("{insert: 'a', documents: [{}]}");
    String before = run("{dbHash: 1}").getString("md5").getValue();
    assertOk(run("{profile: 2}"));
    run("{find: 'a'}");
    assertOk(run("{profile: 0}"));
    assertThat(run("{dbHash: 1}").getString("md5").getValue()).isEqualTo(before);
    run("{drop: 'system.profile'}");
  }

  private static String hash(String collection) {
    return run("{dbHash: 1}").getDocument("collections").getString(collection).getValue();
  }

  private static BsonDocument run(String json) {
    return SERVER.run("hashes", json);
  }
}
