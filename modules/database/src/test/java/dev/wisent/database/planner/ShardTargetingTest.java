package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.RandomData;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.sharding.Chunk;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.ShardTargeter;
import dev.wisent.sharding.ShardTargets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.description.Description;
import org.assertj.core.description.TextDescription;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/**
 * Goal: a filter is sent to every shard that has a match. Method: random chunks of a random shard
 * key, with the random filters and documents that bounds of indexes are tested with.
 */
class ShardTargetingTest {
  private static final int KEYS = 20;
  private static final int FILTERS_PER_KEY = 100;
  private static final int DOCUMENTS = 50;
  private static final ChunkVersion FIRST = new ChunkVersion(new ObjectId(), 1, 1, 0);

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int matches;
  private int targeted;
  private int exact;

  @Test
  void everyMatchIsOnATargetedShard() {
    System.out.println("ShardTargetingTest seed " + seed);
    for (int i = 0; i < KEYS; i++) {
      // Each has other fields without arrays.
      var data = new RandomData(random);
      ShardKeyPattern key = ShardKeyPattern.of(RawDocument.of(pattern(data)));
      List<RawDocument> documents = documents(data, key);
      if (documents.size() > 5) {
        check(data, new ShardTargeter(table(key, documents)), key, documents);
      }
    }
    assertThat(matches).as("documents that matched").isGreaterThan(1_000);
    assertThat(targeted).as("filters for some shards only").isGreaterThan(100);
    assertThat(exact).as("filters with a whole key").isGreaterThan(10);
  }

  private BsonDocument pattern(RandomData data) {
    BsonDocument pattern = data.keyPattern();
    pattern.replaceAll((name, value) -> new BsonInt32(1));
    if (random.nextInt(3) == 0) {
      String[] names = pattern.keySet().toArray(String[]::new);
      pattern.put(names[random.nextInt(names.length)], new BsonString("hashed"));
    }
    return pattern;
  }

  /** Documents that a collection with this shard key may have. */
  private static List<RawDocument> documents(RandomData data, ShardKeyPattern key) {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      RawDocument document = RawDocument.of(data.document(i));
      try {
        key.keyOf(document);
        documents.add(document);
      } catch (CommandException e) {
        // It has an array in its shard key.
      }
    }
    return documents;
  }

  /** Chunks that begin at the keys of some of the documents. */
  private RoutingTable table(ShardKeyPattern key, List<RawDocument> documents) {
    var bounds = new TreeMap<byte[], RawDocument>(Arrays::compareUnsigned);
    for (RawDocument document : documents) {
      if (random.nextInt(4) == 0) {
        bounds.put(key.encodedKeyOf(document), key.keyOf(document));
      }
    }
    bounds.remove(key.encode(key.globalMin()));
    bounds.remove(key.encode(key.globalMax()));
    var chunks = new ArrayList<Chunk>();
    RawDocument min = key.globalMin();
    for (RawDocument max : bounds.values()) {
      chunks.add(new Chunk(new ChunkRange(min, max), "s" + chunks.size() % 7, FIRST, false));
      min = max;
    }
    chunks.add(new Chunk(new ChunkRange(min, key.globalMax()), "last", FIRST, false));
    return RoutingTable.of(key, FIRST, chunks);
  }

  private void check(
      RandomData data, ShardTargeter targeter, ShardKeyPattern key, List<RawDocument> documents) {
    List<String> fields = key.fields().stream().map(field -> field.path().dotted()).toList();
    for (int i = 0; i < FILTERS_PER_KEY; i++) {
      RawDocument filter =
          RawDocument.of(random.nextBoolean() ? data.filter() : data.filterFor(fields));
      BsonDocument collation = random.nextInt(4) == 0 ? data.collation() : new BsonDocument();
      var context =
          QueryContext.of(() -> 0, () -> 0)
              .withCollation(
                  collation.isEmpty() ? null : Collation.parse(RawDocument.of(collation)));
      MatchExpression parsed;
      try {
        parsed = MatchParser.parse(filter, context);
      } catch (CommandException e) {
        continue;
      }
      ShardTargets targets = targeter.ofFilter(filter, context);
      ShardTargets ofParsed = targeter.ofFilter(parsed);
      assertThat(targets.shards()).isNotEmpty();
      targeted += targets.shards().size() < 4 ? 1 : 0;
      exact += targets.isExact() ? 1 : 0;
      for (RawDocument document : documents) {
        if (parsed.matches(document)) {
          var description =
              new TextDescription(
                  "seed %d, key %s, filter %s under %s, document %s",
                  seed, key, filter, collation, document);
          check(targeter, key, targets, document, description);
          check(targeter, key, ofParsed, document, description);
        }
      }
    }
  }

  private void check(
      ShardTargeter targeter,
      ShardKeyPattern key,
      ShardTargets targets,
      RawDocument document,
      Description description) {
    matches++;
    assertThat(targets.shards()).as(description).contains(targeter.ofDocument(document));
    if (targets.isExact()) {
      assertThat(targets.key()).as(description).isEqualTo(key.encodedKeyOf(document));
      assertThat(targets.isOneShard()).isTrue();
    }
  }
}
