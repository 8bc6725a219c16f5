package dev.wisent.database.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Index;
import dev.wisent.database.collection.IndexEntries;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.database.operation.CountRequest;
import dev.wisent.database.operation.DistinctRequest;
import dev.wisent.database.operation.FindRequest;
import dev.wisent.database.operation.FindRequest.Tailing;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.sort.SortKeyGenerator;
import dev.wisent.query.sort.SortPattern;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A query has the same answer whichever way it is reached: by the plan that is chosen, by each
 * index when hinted, by a scan, and by matching all documents one by one.
 */
class PlanAgreementTest {
  private static final RawValue NATURAL = TestDatabase.value("{$natural: 1}");
  private static final int ROUNDS = 20;
  private static final int DOCUMENTS = 50;
  private static final int QUERIES = 120;

  private final long seed = Long.getLong("wisent.test.seed", System.nanoTime());
  private SplittableRandom random;
  private RandomData data;
  private TestDatabase database;
  private List<RawDocument> stored;
  private int answers;
  private int indexedPlans;

  @Test
  void everyPlanGivesTheSameAnswer(@TempDir Path directory) {
    System.out.println("PlanAgreementTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        data = new RandomData(random);
        fill();
        for (int i = 0; i < QUERIES; i++) {
          check(random.nextBoolean() ? data.filter() : data.filterFor(fieldsOfAnIndex()));
        }
        database.assertValid();
        database.assertNothingLeaks();
        database.database().changes().drop(database.collection(), database.operation());
      }
    }
    assertThat(answers).as("answers compared").isGreaterThan(ROUNDS * QUERIES * 3);
    assertThat(indexedPlans).as("answers by an index").isGreaterThan(ROUNDS * QUERIES / 5);
  }

  private void fill() {
    database.create("{}");
    int indexesFirst = random.nextInt(3);
    addIndexes(indexesFirst);
    List<RawDocument> documents = new ArrayList<>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.of(data.document(id)));
    }
    // Some cannot be indexed: parallel arrays.
    database.insert(false, documents);
    addIndexes(4 - indexesFirst);
    stored = database.find(FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY));
  }

  private void addIndexes(int count) {
    for (int i = 0; i < count; i++) {
      BsonDocument key = data.keyPattern();
      String[] options = new String[0];
      switch (random.nextInt(4)) {
        case 0 -> options = new String[] {"sparse"};
        case 1 -> {
          key.put("_id", new BsonInt32(1));
          options = new String[] {"unique"};
        }
        default -> {}
      }
      if (database.collection().index(TestDatabase.indexName(RawDocument.of(key))) != null) {
        continue;
      }
      try {
        database.createIndex(key.toJson(), options);
      } catch (CommandException e) {
        // The documents do not allow for it.
      }
    }
  }

  private List<String> fieldsOfAnIndex() {
    List<Index> indexes = database.collection().indexes();
    Index index = indexes.get(random.nextInt(indexes.size()));
    return IntStream.range(0, index.fieldCount()).mapToObj(i -> index.path(i).dotted()).toList();
  }

  private void check(BsonDocument filterBson) {
    RawDocument filter = RawDocument.of(filterBson);
    MatchExpression expression = MatchParser.parse(filter, QueryContexts.of(database.operation()));
    List<RawDocument> expected = stored.stream().filter(expression::matches).toList();
    boolean sorts = random.nextBoolean();
    RawDocument sort = sorts ? RawDocument.of(data.sort()) : RawDocument.EMPTY;
    long skip = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
    long limit = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0;
    compare(expected, filter, sort, null, skip, limit);
    compare(expected, filter, sort, NATURAL, skip, limit);
    for (Index index : database.collection().indexes()) {
      List<RawDocument> reachable =
          index.isSparse() ? expected.stream().filter(d -> isIn(index, d)).toList() : expected;
      compare(reachable, filter, sort, RawValue.ofString(index.name()), skip, limit);
    }
    checkCountAndDistinct(expected, filter, skip, limit);
  }

  /** A hint on a sparse index leaves out what the index leaves out. */
  private static boolean isIn(Index index, RawDocument document) {
    var entries = new IndexEntries();
    index.collect(document, entries);
    return entries.size() > 0;
  }

  private void compare(
      List<RawDocument> matching,
      RawDocument filter,
      RawDocument sort,
      RawValue hint,
      long skip,
      long limit) {
    List<String> expected;
    try {
      expected = expected(matching, sort, skip, limit);
    } catch (CommandException e) {
      // Parallel arrays cannot be sorted by; which of the documents says so depends on the plan.
      return;
    }
    var operation = database.operation();
    List<RawDocument> found =
        TestDatabase.drain(
            database.database().find(operation, request(filter, sort, hint, skip, limit)));
    answers++;
    indexedPlans += operation.planSummary().startsWith("IXSCAN") ? 1 : 0;
    boolean right =
        sortKeys(found, sort).equals(expected)
            && new HashSet<>(matching).containsAll(found)
            && new HashSet<>(found).size() == found.size();
    if (!right) {
      fail(
          "seed %d: %s sort %s hint %s skip %d limit %d indexes %s plan %s found %s of %s",
          seed,
          filter.toJson(),
          sort.toJson(),
          hint,
          skip,
          limit,
          database.collection().indexes().stream()
              .map(index -> index.definition().spec().toJson())
              .toList(),
          operation.planSummary(),
          found,
          matching);
    }
  }

  /** The sort keys that the answer must have, in order; without a sort as many empty ones. */
  private static List<String> expected(
      List<RawDocument> matching, RawDocument sort, long skip, long limit) {
    return sortKeys(matching, sort).stream()
        .sorted()
        .skip(skip)
        .limit(limit == 0 ? Long.MAX_VALUE : limit)
        .toList();
  }

  private static List<String> sortKeys(List<RawDocument> documents, RawDocument sort) {
    var generator = new SortKeyGenerator(SortPattern.parse(sort));
    return documents.stream()
        .map(document -> HexFormat.of().formatHex(generator.key(document)))
        .toList();
  }

  private static FindRequest request(
      RawDocument filter, RawDocument sort, RawValue hint, long skip, long limit) {
    return new FindRequest(
        TestDatabase.NAMESPACE,
        filter,
        RawDocument.EMPTY,
        sort,
        hint,
        skip,
        limit,
        null,
        null,
        false,
        false,
        Tailing.NONE);
  }

  private void checkCountAndDistinct(
      List<RawDocument> expected, RawDocument filter, long skip, long limit) {
    long left = Math.max(0, expected.size() - skip);
    var request = new CountRequest(TestDatabase.NAMESPACE, filter, skip, limit, null);
    assertThat(database.database().count(database.operation(), request))
        .as(() -> "seed %d: count of %s skip %d limit %d".formatted(seed, filter, skip, limit))
        .isEqualTo(limit == 0 ? left : Math.min(left, limit));
    List<RawValue> ids =
        database
            .database()
            .distinct(
                database.operation(),
                new DistinctRequest(TestDatabase.NAMESPACE, "_id", filter, null));
    assertThat(ids.stream().map(RawValue::asInt32).sorted().toArray())
        .as(() -> "seed %d: ids of %s".formatted(seed, filter))
        .isEqualTo(TestDatabase.ids(expected).stream().sorted().toArray());
    checkDistinct(filter, data.path());
  }

  /** The values do not depend on how the documents are reached. */
  private void checkDistinct(RawDocument filter, String path) {
    assertThat(distinct(path, filter, null))
        .as(() -> "seed %d: %s of %s".formatted(seed, path, filter))
        .isEqualTo(distinct(path, filter, NATURAL));
  }

  private List<String> distinct(String path, RawDocument filter, RawValue hint) {
    var request = new DistinctRequest(TestDatabase.NAMESPACE, path, filter, hint);
    return database.database().distinct(database.operation(), request).stream()
        .map(value -> HexFormat.of().formatHex(KeyClasses.encode(value, false)))
        .sorted()
        .toList();
  }
}
