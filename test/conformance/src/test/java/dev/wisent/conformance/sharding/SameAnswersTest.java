package dev.wisent.conformance.sharding;

import dev.wisent.Wisent;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random reads and writes give the same on one node and on three shards, with random shard keys and
 * chunks, which stay or move all the time. {@code -Dwisent.seed} repeats a run, {@code
 * -Dwisent.cases} makes the long one longer.
 */
@ExtendWith(SharedCluster.class)
class SameAnswersTest {
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int SHORT_ROUNDS = 3;
  private static final int COMMANDS = 60;
  private static final int DOCUMENTS = 60;

  /** The first seed with chunks that move. */
  private static final int MOVING = 500_000;

  /** That of some of the collections. */
  private static final String COLLATION = "{locale: 'en', strength: 2}";

  private static TestCluster cluster;
  private static Wisent single;
  private static TwoDeployments both;

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
    single = Wisent.replicaSet(1);
    both = new TwoDeployments(single.uri(), cluster.uri());
  }

  @AfterAll
  static void stop() {
    both.close();
    single.close();
  }

  @Test
  void onOneNodeAndOnShards() {
    rounds(SEED * 1_000_000, SHORT_ROUNDS, false);
  }

  @Test
  void whileChunksMove() {
    rounds(SEED * 1_000_000 + MOVING, 1, true);
  }

  @Test
  @Tag("faults")
  void whileChunksMoveForLong() {
    rounds(SEED * 1_000_000 + MOVING + 1, Integer.getInteger("wisent.cases", 100), true);
  }

  @Test
  @Tag("faults")
  void onOneNodeAndOnShardsForLong() {
    rounds(SEED * 1_000_000 + SHORT_ROUNDS, Integer.getInteger("wisent.cases", 100), false);
  }

  /** Goes on after a difference, so that a long run shows all of them. */
  private static void rounds(long first, int count, boolean moving) {
    AssertionError difference = null;
    for (long seed = first; seed < first + count; seed++) {
      try {
        round(seed, moving);
        System.out.println("SameAnswersTest agreed on seed " + seed);
      } catch (AssertionError e) {
        System.out.println("SameAnswersTest differed on seed " + seed + ": " + e.getMessage());
        difference = difference == null ? e : difference;
      }
    }
    if (difference != null) {
      throw difference;
    }
  }

  private static void round(long seed, boolean moving) {
    var random = new SplittableRandom(seed);
    String name = "r" + seed;
    var keys = new RandomShardKeys(random);
    Document key = keys.key();
    List<Document> bounds = keys.bounds(key);
    // The index of _id has the collation of the collection, which that of a shard key has not.
    boolean collated = random.nextInt(4) == 0 && !key.equals(new Document("_id", 1));
    String about =
        "seed %d, key %s, bounds %s, collated %s, moving %s"
            .formatted(seed, key.toJson(), bounds, collated, moving);
    SameAnswers same = both.of(name, about, collated, moving);
    var options = new Document();
    if (collated) {
      same.same("{create: 'c', collation: %s}".formatted(COLLATION), true);
      options.append("collation", Document.parse("{locale: 'simple'}"));
    }
    cluster.shardAt(name + ".c", key, bounds, options);
    if (random.nextBoolean()) {
      cluster.shardAt(name + ".t", "_id", 10 + random.nextInt(10), 25 + random.nextInt(20));
    }
    if (random.nextBoolean()) {
      cluster.shardAt(name + ".o", "s", 1 + random.nextInt(3));
    }
    var moves = moving ? new RandomMoves(new SplittableRandom(seed), cluster, name) : null;
    commands(random, same, name, moves);
    same.drop();
  }

  /**
   * @param moves null where chunks stay
   */
  private static void commands(
      SplittableRandom random, SameAnswers same, String name, RandomMoves moves) {
    var documents = new RandomDocuments(random);
    var indexes = new RandomIndexes(random);
    var reads = new RandomReads(random, documents, indexes);
    var writes = new RandomWriteCommands(random, documents, reads, name);
    var keyChanges = new RandomKeyChanges(random, documents, writes);
    var transactions = new RandomTransactions(random, reads, writes, keyChanges);
    same.same(RandomSearches.indexes(), true);
    String created = indexes.create();
    if (created != null) {
      same.same(created, true);
    }
    same.same(writes.fill(DOCUMENTS), true);
    fillOthers(same, documents, reads);
    Runnable settled = moves == null ? () -> {} : moves::await;
    for (int i = 0; i < COMMANDS; i++) {
      if (moves != null) {
        moves.maybe();
      }
      // Only reads run during moves: an _id that comes to a shard refuses another one there.
      if (random.nextInt(3) == 0) {
        settled.run();
        same.same(writes.next(), true);
      } else if (random.nextInt(5) == 0) {
        settled.run();
        same.sameChange(keyChanges.next(), random.nextInt(3));
      } else if (random.nextInt(8) == 0) {
        settled.run();
        transactions.run(same);
      } else {
        RandomReads.Read read = reads.next();
        same.same(read.command(), read.ordered());
      }
    }
    if (moves != null) {
      moves.await();
      System.out.println("SameAnswersTest moved " + moves.count() + " chunks of " + name);
    }
    for (String collection : List.of("c", "t", "w")) {
      same.same("{find: '%s', sort: {_id: 1}}".formatted(collection), true);
    }
  }

  /** Another collection, one that is not sharded, and a view. */
  private static void fillOthers(SameAnswers both, RandomDocuments documents, RandomReads reads) {
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
}
