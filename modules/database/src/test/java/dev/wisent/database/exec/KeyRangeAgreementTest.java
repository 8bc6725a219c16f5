package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Finds;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.exec.IndexContents.Entry;
import dev.wisent.database.index.Index;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Finds with {@code min}, {@code max} and {@code returnKey} give what is found by looking at every
 * key of the index, in collections of both kinds.
 */
class KeyRangeAgreementTest {
  private static final int ROUNDS = Integer.getInteger("wisent.test.rounds", 15);
  private static final int DOCUMENTS = 40;
  private static final int FINDS = 150;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;
  private RandomData data;
  private TestDatabase database;
  private int found;

  @Test
  void findsGiveTheKeysBetweenTheirEnds(@TempDir Path directory) {
    System.out.println("KeyRangeAgreementTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        data = new RandomData(random);
        fill();
        for (Index index : database.collection().indexes()) {
          List<Entry> entries = IndexContents.of(index, database);
          for (int i = 0; i < FINDS; i++) {
            checkEnds(index, entries);
            checkReturnedKeys(index, entries);
          }
        }
        database.database().changes().drop(database.collection(), database.operation());
        database.assertNothingLeaks();
      }
    }
    assertThat(found).as("rows found").isGreaterThan(ROUNDS * FINDS);
  }

  private void fill() {
    boolean clustered = random.nextInt(3) == 0;
    database.create(clustered ? "{clusteredIndex: {key: {_id: 1}, unique: true}}" : "{}");
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.of(data.document(id)));
    }
    database.insert(false, documents);
    for (int i = 0; i < 3; i++) {
      boolean sparse = random.nextInt(4) == 0;
      try {
        database.createIndex(
            data.keyPattern().toJson(), sparse ? new String[] {"sparse"} : new String[0]);
      } catch (CommandException e) {
        // Parallel arrays.
      }
    }
  }

  private void checkEnds(Index index, List<Entry> entries) {
    RawDocument min = random.nextInt(4) == 0 ? null : end(index, entries);
    RawDocument max = random.nextInt(4) == 0 ? null : end(index, entries);
    if (min == null && max == null) {
      return;
    }
    if (min != null
        && max != null
        && Arrays.compareUnsigned(key(index, min), key(index, max)) > 0) {
      RawDocument greater = min;
      min = max;
      max = greater;
    }
    if (min != null && max != null && Arrays.equals(key(index, min), key(index, max))) {
      return;
    }
    RawDocument from = min;
    RawDocument to = max;
    String filter = filter();
    Set<Integer> seen = new HashSet<>();
    List<Entry> rows =
        matching(entries, filter).stream()
            .filter(entry -> from == null || compare(entry, index, from) >= 0)
            .filter(entry -> to == null || compare(entry, index, to) < 0)
            .filter(entry -> seen.add(entry.id()))
            .toList();
    int skip = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
    int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(10) : 0;
    List<Entry> expected =
        rows.stream().skip(skip).limit(limit == 0 ? Integer.MAX_VALUE : limit).toList();
    Finds find = Finds.of(filter).hint("'" + index.name() + "'").skip(skip).limit(limit);
    if (from != null) {
      find.min(from.toJson());
    }
    if (to != null) {
      find.max(to.toJson());
    }
    String asked = describe(index, filter) + " from " + from + " to " + to + " skip " + skip;
    assertThat(TestDatabase.ids(database.find(find.toRequest())))
        .as(asked)
        .isEqualTo(expected.stream().map(Entry::id).toList());
    assertThat(database.find(find.returnKey().toRequest()))
        .as(asked)
        .isEqualTo(expected.stream().map(Entry::keyDocument).toList());
    found += expected.size();
  }

  /** Each row is a key of a document that matches, and no document gives two. */
  private void checkReturnedKeys(Index index, List<Entry> entries) {
    String filter = filter();
    Finds find = Finds.of(filter).hint("'" + index.name() + "'").returnKey();
    List<RawDocument> rows = database.find(find.toRequest());
    List<Entry> matching = matching(entries, filter);
    assertThat(rows)
        .as(describe(index, filter))
        .hasSize((int) matching.stream().map(Entry::id).distinct().count());
    Map<RawDocument, Integer> left = new HashMap<>();
    matching.forEach(entry -> left.merge(entry.keyDocument(), 1, Integer::sum));
    for (RawDocument row : rows) {
      assertThat(left.merge(row, -1, Integer::sum))
          .as(() -> describe(index, filter) + ": " + row)
          .isNotNegative();
    }
    found += rows.size();
  }

  private String filter() {
    return random.nextBoolean() ? "{}" : data.filter().toJson();
  }

  private List<Entry> matching(List<Entry> entries, String filter) {
    MatchExpression expression =
        MatchParser.parse(RawDocument.parse(filter), QueryContexts.of(database.operation()));
    return entries.stream().filter(entry -> expression.matches(entry.document())).toList();
  }

  /** A value for each field: one that is there, or any. */
  private RawDocument end(Index index, List<Entry> entries) {
    var end = new BsonBuilder();
    for (int i = 0; i < index.fieldCount(); i++) {
      boolean stored = !entries.isEmpty() && random.nextInt(4) != 0;
      end.append(
          index.path(i).dotted(),
          stored ? entries.get(random.nextInt(entries.size())).values().get(i) : value());
    }
    return end.toDocument();
  }

  private RawValue value() {
    BsonValue value = data.value(1);
    return value instanceof BsonUndefined
        ? RawValue.MAX_KEY
        : RawDocument.of(new BsonDocument("v", value)).get("v");
  }

  /** The fields of an entry only: behind them there may be a record id. */
  private static int compare(Entry entry, Index index, RawDocument end) {
    return Arrays.compareUnsigned(key(index, entry.keyDocument()), key(index, end));
  }

  private static byte[] key(Index index, RawDocument values) {
    var encoder = new IndexKeyV1.Encoder();
    var fields = values.elements();
    for (int i = 0; fields.next(); i++) {
      encoder.append(fields.value(), index.isDescending(i));
    }
    return encoder.toByteArray();
  }

  private String describe(Index index, String filter) {
    return "seed %d: %s %s".formatted(seed, index.definition().spec().toJson(), filter);
  }
}
