package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dump of what is being written to is one state, which the source can show afterwards. */
class DumpUnderLoadTest {
  @TempDir Path directory;

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void aSetWithItsOplogAndWithASnapshot() throws ToolException {
    try (Wisent set = Wisent.replicaSet(1);
        MongoClient client = MongoClients.create(set.uri());
        Wisent node = Wisent.start();
        MongoClient target = MongoClients.create(node.uri())) {
      BankLoad.fill(client);
      client.getDatabase("bank").getCollection("log").createIndex(new Document("from", 1));
      BankLoad load = BankLoad.start(client);
      load.awaitMore(20);
      new ToolHarness()
          .onMessage("done dumping bank.", () -> load.awaitMore(5))
          .run("dump", "--uri", set.uri(), "-j1", "--archive=" + path("at"));
      int before = load.done();
      // Accounts were read while they changed; then the state of the end is one that can be
      // compared.
      new ToolHarness()
          .onMessage("writing bank.log", load::close)
          .run("dump", "--uri", set.uri(), "--oplog", "-j1", "-o", path("oplog"));
      assertThat(load.done()).isGreaterThan(before);
      String messages =
          new ToolHarness()
              .run("restore", "--uri", node.uri(), "--oplogReplay", path("oplog"))
              .messages();
      assertThat(messages).containsPattern("applied [1-9]\\d* oplog entries");
      assertThat(SampleData.hash(target, "bank")).isEqualTo(SampleData.hash(client, "bank"));
      assertThat(SampleData.definitions(target, "bank"))
          .isEqualTo(SampleData.definitions(client, "bank"));
      BankLoad.check(target);
      new ToolHarness().run("restore", "--uri", node.uri(), "--drop", "--archive=" + path("at"));
      BankLoad.check(target);
      assertThat(BankLoad.now(target)).isNotEqualTo(BankLoad.now(client));
    }
  }

  @Test
  void fromTwoShardsToThreeWhileChunksMove() throws ToolException {
    var moved = new AtomicInteger();
    try (Wisent two = Wisent.cluster(2);
        MongoClient client = MongoClients.create(two.uri());
        Wisent three = Wisent.cluster(3);
        MongoClient target = MongoClients.create(three.uri())) {
      shard(client, new Document("_id", 1));
      BankLoad.fill(client);
      for (int i = 1; i < 8; i++) {
        client
            .getDatabase("admin")
            .runCommand(
                new Document("split", "bank.accounts")
                    .append("middle", new Document("_id", i * BankLoad.ACCOUNTS / 8)));
      }
      var random = new Random(1);
      try (BankLoad load = BankLoad.start(client)) {
        load.also(() -> moved.addAndGet(move(client, random)));
        load.awaitMore(20);
        int before = load.done();
        // Chunks move between the first cursor's opening and the last document.
        new ToolHarness()
            .onMessage("writing bank.", () -> awaitMore(moved, 2))
            .onMessage("done dumping bank.", () -> load.awaitMore(5))
            .run("dump", "--uri", two.uri(), "-j1", "-o", path("dump"), "--gzip");
        load.awaitMore(10);
        assertThat(load.done()).isGreaterThan(before);
      }
      shard(target, new Document("_id", "hashed"));
      new ToolHarness().run("restore", "--uri", three.uri(), "--gzip", path("dump"));
      BankLoad.check(target);
    }
  }

  private static void awaitMore(AtomicInteger moved, int count) {
    int end = moved.get() + count;
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (moved.get() < end) {
      assertThat(System.nanoTime()).as("moved chunks").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void shard(MongoClient client, Document key) {
    client
        .getDatabase("admin")
        .runCommand(new Document("shardCollection", "bank.accounts").append("key", key));
  }

  private static int move(MongoClient client, Random random) {
    try {
      client
          .getDatabase("admin")
          .runCommand(
              new Document("moveChunk", "bank.accounts")
                  .append("find", new Document("_id", random.nextInt(BankLoad.ACCOUNTS)))
                  .append("to", "shard" + random.nextInt(2)));
      return 1;
    } catch (MongoException e) {
      return 0; // another one is under way
    }
  }
}
