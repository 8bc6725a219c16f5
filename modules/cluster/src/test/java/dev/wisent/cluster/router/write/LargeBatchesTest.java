package dev.wisent.cluster.router.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many large batches at once, for which no server has the memory. */
class LargeBatchesTest {
  private static final int CLIENTS = 6;
  private static final int DOCUMENTS = 6;
  private static final int DOCUMENT_BYTES = 1 << 20;

  /** Less than two batches. */
  private static final int MEMORY_BYTES = 10 << 20;

  @TempDir Path directory;

  @Test
  void noneIsLostAndNoneFails() {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(
                2,
                directory,
                options ->
                    options
                        .cacheBytes(32 << 20)
                        .setParameter("messageMemoryLimitBytes", Integer.toString(MEMORY_BYTES)));
        MongoClient client = MongoClients.create(withoutRetries(cluster.uri()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      client
          .getDatabase("admin")
          .runCommand(Document.parse("{shardCollection: 'large.c', key: {_id: 'hashed'}}"));
      MongoCollection<Document> collection = client.getDatabase("large").getCollection("c");
      var batches = new ArrayList<CompletableFuture<?>>();
      for (int i = 0; i < CLIENTS; i++) {
        int from = i * DOCUMENTS;
        batches.add(CompletableFuture.runAsync(() -> collection.insertMany(batch(from)), threads));
      }
      batches.forEach(CompletableFuture::join);
      assertThat(collection.countDocuments()).isEqualTo(CLIENTS * DOCUMENTS);
    }
  }

  private static MongoClientSettings withoutRetries(String uri) {
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(uri))
        .retryWrites(false)
        .build();
  }

  private static List<Document> batch(int from) {
    var documents = new ArrayList<Document>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(new Document("_id", from + i).append("x", new byte[DOCUMENT_BYTES]));
    }
    return documents;
  }
}
