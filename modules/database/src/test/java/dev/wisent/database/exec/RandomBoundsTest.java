package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.bounds.FieldIntervals;
import dev.wisent.database.plan.bounds.Interval;
import dev.wisent.database.plan.bounds.ScanBounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans with random bounds find what looking at each document finds, in the index's order. */
class RandomBoundsTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<RawValue> VALUES =
      List.of(
          RawValue.NULL,
          RawValue.ofDouble(-2.5),
          RawValue.ofInt32(0),
          RawValue.ofInt64(1),
          RawValue.ofInt32(2),
          RawValue.ofInt32(1 << 30),
          RawValue.ofString(""),
          RawValue.ofString("x"),
          RawValue.ofString("xy"),
          RawValue.ofBoolean(false),
          RawValue.ofDate(1_700_000_000_000L));

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private TestDatabase database;
  private PlanRunner runner;
  private List<RawDocument> documents;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1, b: 1, c: 1}");
    database.createIndex("{a: -1, b: 1, c: -1}");
    database.createIndex("{b: 1, c: -1, _id: 1}", "unique");
    database.createIndex("{_id: -1, a: 1}", "unique");
    var made = new ArrayList<RawDocument>();
    for (int i = 0; i < 400; i++) {
      var builder = new dev.wisent.bson.BsonBuilder();
      builder.appendInt32("_id", i);
      NAMES.forEach(name -> builder.append(name, value()));
      made.add(builder.toDocument());
    }
    documents = List.copyOf(made);
    assertThat(database.insert(true, documents).failures()).isEmpty();
    runner = new PlanRunner(database);
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private RawValue value() {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  @Test
  void scansFindWhatIsInTheirBounds() {
    for (int i = 0; i < 1500; i++) {
      List<Index> indexes = database.collection().indexes();
      Index index = indexes.get(1 + random.nextInt(indexes.size() - 1));
      var fields = new ArrayList<FieldIntervals>();
      for (int field = 0; field < index.fieldCount(); field++) {
        fields.add(new FieldIntervals(index.path(field).dotted(), intervals()));
      }
      boolean reverse = random.nextBoolean();
      var scan = new PlanNode.IndexScan(index, new ScanBounds.ByField(fields), reverse, null);
      int stopping = random.nextInt(4);
      PlanRunner.Result result =
          runner.run(
              new PlanNode.Fetch(scan, null),
              null,
              () -> stopping > 0 && random.nextInt(stopping * stopping) == 0);
      assertThat(result.ids())
          .as("seed %d, case %d: %s %s reverse %s", seed, i, index.name(), fields, reverse)
          .isEqualTo(expected(index, fields, reverse));
      assertThat(result.stats().totalKeysExamined()).isGreaterThanOrEqualTo(result.ids().size());
    }
  }

  private List<Interval> intervals() {
    int kind = random.nextInt(4);
    if (kind == 0) {
      return List.of(Interval.ALL);
    }
    List<RawValue> ends =
        random
            .ints(1 + random.nextInt(6), 0, VALUES.size())
            .sorted()
            .distinct()
            .mapToObj(VALUES::get)
            .toList();
    if (kind == 1) {
      return ends.stream().map(Interval::point).toList();
    }
    var intervals = new ArrayList<Interval>();
    for (int i = 0; i + 1 < ends.size(); i += 2) {
      intervals.add(
          new Interval(ends.get(i), random.nextBoolean(), ends.get(i + 1), random.nextBoolean()));
    }
    if (ends.size() % 2 == 1) {
      intervals.add(new Interval(ends.getLast(), random.nextBoolean(), RawValue.MAX_KEY, true));
    }
    return intervals;
  }

  private List<Integer> expected(Index index, List<FieldIntervals> fields, boolean reverse) {
    Comparator<RawDocument> order = Comparator.comparing(document -> 0);
    for (int field = 0; field < fields.size(); field++) {
      String name = fields.get(field).name();
      Comparator<RawDocument> byField =
          (one, other) -> ValueOrder.compare(one.get(name), other.get(name));
      order = order.thenComparing(index.isDescending(field) ? byField.reversed() : byField);
    }
    order = order.thenComparing(document -> document.get("_id").asInt32());
    return documents.stream()
        .filter(document -> fields.stream().allMatch(field -> isWithin(field, document)))
        .sorted(reverse ? order.reversed() : order)
        .map(document -> document.get("_id").asInt32())
        .toList();
  }

  private static boolean isWithin(FieldIntervals field, RawDocument document) {
    RawValue value = document.get(field.name());
    return field.intervals().stream()
        .anyMatch(
            interval -> {
              int low = ValueOrder.compare(value, interval.low());
              int high = ValueOrder.compare(value, interval.high());
              return (low > 0 || (low == 0 && interval.lowInclusive()))
                  && (high < 0 || (high == 0 && interval.highInclusive()));
            });
  }
}
