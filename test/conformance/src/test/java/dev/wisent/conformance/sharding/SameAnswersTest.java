package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random reads and writes give the same on one node and on three shards, with random shard keys and
 * chunks. {@code -Dwisent.seed} repeats a run, {@code -Dwisent.cases} makes the long one longer.
 */
@ExtendWith(SharedCluster.class)
class SameAnswersTest {
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int SHORT_ROUNDS = 3;
  private static final int COMMANDS = 60;
  private static final int DOCUMENTS = 60;

  /** That of some of the collections. */
  private static final String COLLATION = "{locale: 'en', strength: 2}";

  private static TestCluster cluster;
  private static Wisent single;
  private static MongoClient client;

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
    single = Wisent.start();
    client = MongoClients.create(single.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    single.close();
  }

  @Test
  void onOneNodeAndOnShards() {
    rounds(SEED * 1_000_000, SHORT_ROUNDS);
  }

  @Test
  @Tag("faults")
  void onOneNodeAndOnShardsForLong() {
    rounds(SEED * 1_000_000 + SHORT_ROUNDS, Integer.getInteger("wisent.cases", 100));
  }

  private static void rounds(long first, int count) {
    for (long seed = first; seed < first + count; seed++) {
      round(seed);
      System.out.println("SameAnswersTest agreed on seed " + seed);
    }
  }

  private static void round(long seed) {
    var random = new SplittableRandom(seed);
    String name = "r" + seed;
    MongoDatabase expected = client.getDatabase(name);
    MongoDatabase actual = cluster.client().getDatabase(name);
    var keys = new RandomShardKeys(random);
    Document key = keys.key();
    List<Document> bounds = keys.bounds(key);
    boolean collated = random.nextInt(4) == 0;
    var options = new Document();
    if (collated) {
      var create = new Document("create", "c").append("collation", Document.parse(COLLATION));
      expected.runCommand(create);
      actual.runCommand(create);
      options.append("collation", Document.parse("{locale: 'simple'}"));
    }
    cluster.shardAt(name + ".c", key, bounds, options);
    if (random.nextBoolean()) {
      cluster.shardAt(name + ".t", "_id", 10 + random.nextInt(10), 25 + random.nextInt(20));
    }
    if (random.nextBoolean()) {
      cluster.shardAt(name + ".o", "s", 1 + random.nextInt(3));
    }
    var documents = new RandomDocuments(random);
    var reads = new RandomReads(random, documents);
    var writes = new RandomWriteCommands(random, documents, reads);
    String about =
        "seed %d, key %s, bounds %s, collated %s".formatted(seed, key.toJson(), bounds, collated);
    var both = new Both(expected, actual, about, collated);
    both.same(writes.fill(DOCUMENTS), true);
    fillOthers(both, documents, reads);
    for (int i = 0; i < COMMANDS; i++) {
      if (random.nextInt(3) == 0) {
        both.same(writes.next(), true);
      } else {
        RandomReads.Read read = reads.next();
        both.same(read.command(), read.ordered());
      }
    }
    for (String collection : List.of("c", "t", "w")) {
      both.same("{find: '%s', sort: {_id: 1}}".formatted(collection), true);
    }
    expected.drop();
    actual.drop();
  }

  /** Another collection, one that is not sharded, and a view. */
  private static void fillOthers(Both both, RandomDocuments documents, RandomReads reads) {
    for (String collection : List.of("o", "u")) {
      var inserted = new ArrayList<String>();
      for (int i = 0; i < 12; i++) {
        String fields = documents.fields();
        inserted.add("{_id: %d%s%s}".formatted(i, fields.isEmpty() ? "" : ", ", fields));
      }
      both.same(
          "{insert: '%s', documents: [%s]}".formatted(collection, String.join(", ", inserted)),
          true);
    }
    both.same(
        "{create: 'v', viewOn: 'c', pipeline: [{$match: %s}, {$addFields: {v: '$k'}}]}"
            .formatted(reads.filter()),
        true);
  }

  /**
   * The same database on one node and on shards.
   *
   * @param collated whether strings of different case are equal: which of them stands for a group
   *     depends on which comes first
   */
  private record Both(
      MongoDatabase expected, MongoDatabase actual, String about, boolean collated) {
    void same(String command, boolean ordered) {
      Document parsed = Document.parse(command);
      assertThat(answer(actual, parsed, ordered))
          .as("%s: %s", about, command)
          .isEqualTo(answer(expected, parsed, ordered));
    }

    private List<String> answer(MongoDatabase database, Document command, boolean ordered) {
      List<String> lines = new ArrayList<>(SameAnswersTest.answer(database, command));
      if (collated) {
        lines.replaceAll(line -> line.toLowerCase(Locale.ROOT));
      }
      if (!ordered) {
        lines.sort(null);
      }
      return lines;
    }
  }

  private static List<String> answer(MongoDatabase database, Document command) {
    try {
      Document reply = database.runCommand(command);
      return reply.get("cursor") instanceof Document cursor
          ? results(database, cursor)
          : CanonicalReply.of(reply);
    } catch (MongoCommandException e) {
      return List.of("error " + e.getErrorCode());
    }
  }

  private static List<String> results(MongoDatabase database, Document first) {
    var lines = new ArrayList<String>();
    String collection = first.getString("ns").substring(database.getName().length() + 1);
    Document cursor = first;
    cursor.getList("firstBatch", Document.class).forEach(d -> lines.add(CanonicalReply.text(d)));
    while (cursor.getLong("id") != 0) {
      var more = new Document("getMore", cursor.getLong("id")).append("collection", collection);
      cursor = database.runCommand(more).get("cursor", Document.class);
      cursor.getList("nextBatch", Document.class).forEach(d -> lines.add(CanonicalReply.text(d)));
    }
    return lines;
  }
}
