package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Empty timestamps reach the shards of a cluster as they are. */
class RouterTimestampsTest {
  private static final String EMPTY = "{$timestamp: {t: 0, i: 0}}";

  @TempDir private Path directory;

  @Test
  void theyStayEmpty() throws ToolException {
    try (Wisent cluster = Wisent.cluster(2);
        MongoClient client = MongoClients.create(cluster.uri())) {
      client
          .getDatabase("admin")
          .runCommand(Document.parse("{shardCollection: 'shop.c', key: {_id: 'hashed'}}"));
      MongoDatabase shop = client.getDatabase("shop");
      for (String command :
          new String[] {
            "{insert: 'c', documents: [{_id: 1, t: T}, {_id: 2, t: T}, {_id: 3}, {_id: 4}],",
            "{update: 'c', updates: [{q: {_id: 3}, u: {t: T}}],",
            "{findAndModify: 'c', query: {_id: 4}, update: {t: T},"
          }) {
        shop.runCommand(
            BsonDocument.parse(command.replace("T", EMPTY) + " bypassEmptyTsReplacement: true}"));
      }
      assertEmpty(shop);
      new ToolHarness().run("dump", "--uri=" + cluster.uri(), "-d=shop", "--out=" + directory);
      shop.getCollection("c").deleteMany(new Document());
      new ToolHarness().run("restore", "--uri=" + cluster.uri(), directory.toString());
      assertEmpty(shop);
    }
  }

  private static void assertEmpty(MongoDatabase shop) {
    assertThat(shop.getCollection("c").countDocuments(new Document("t", new BsonTimestamp(0))))
        .isEqualTo(4);
  }
}
