package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.exec.IndexContents.Entry;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.storage.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans within random bounds find the keys that looking at every key finds, in the same order. */
class KeyScanAgreementTest {
  private static final int ROUNDS = 20;
  private static final int DOCUMENTS = 40;
  private static final int SCANS = 100;
  private static final int SUSPENSIONS = 5;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;
  private RandomData data;
  private TestDatabase database;
  private int found;

  @Test
  void scansFindTheKeysWithinTheirBounds(@TempDir Path directory) {
    System.out.println("KeyScanAgreementTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        data = new RandomData(random);
        Index index = fill();
        if (index != null) {
          check(index);
        }
        database.database().changes().drop(database.collection(), database.operation());
        database.assertNothingLeaks();
      }
    }
    assertThat(found).as("keys found").isGreaterThan(ROUNDS * SCANS / 2);
  }

  private Index fill() {
    database.create("{}");
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.of(data.document(id)));
    }
    database.insert(false, documents);
    BsonDocument key = data.keyPattern();
    boolean unique = random.nextInt(4) == 0;
    if (unique) {
      key.append("_id", new BsonInt32(1));
    }
    try {
      database.createIndex(key.toJson(), unique ? new String[] {"unique"} : new String[0]);
    } catch (CommandException e) {
      // Parallel arrays.
      return null;
    }
    return database.collection().index(TestDatabase.indexName(RawDocument.of(key)));
  }

  private void check(Index index) {
    List<Entry> entries = IndexContents.of(index, database);
    for (int i = 0; i < SCANS; i++) {
      var fields = new ArrayList<FieldIntervals>();
      for (int part = 0; part < index.keyPartCount(); part++) {
        fields.add(intervals(part, entries));
      }
      var bounds = new ScanBounds.ByField(fields);
      List<Entry> within =
          entries.stream().filter(entry -> isWithin(entry.values(), fields)).toList();
      checkScan(index, bounds, false, within);
      checkScan(index, bounds, true, within.reversed());
      assertThat(rows(new PlanNode.CountScan(index, bounds), false))
          .as(() -> describe(index, bounds))
          .hasSameSizeAs(new TreeSet<>(ids(within)));
      checkDistinct(index, bounds, random.nextBoolean(), within);
      found += within.size();
    }
  }

  /** Null and undefined are left out here: they may stand for a missing field or an empty array. */
  private void checkDistinct(Index index, ScanBounds bounds, boolean reverse, List<Entry> within) {
    var expected = new TreeSet<RawValue>(ValueOrder::compare);
    within.forEach(entry -> expected.add(entry.values().getFirst()));
    expected.removeIf(RawValue::isNullish);
    var scan = new PlanNode.DistinctScan(index, bounds, reverse, 0);
    var values = new ArrayList<RawValue>();
    try (Snapshot snapshot = database.engine().snapshot();
        Step step = open(scan, snapshot)) {
      while (step.next()) {
        RawValue value = step.keyDocument().get(index.path(0).dotted());
        if (!value.isNullish()) {
          values.add(value.detached());
        }
      }
    }
    assertThat(values)
        .as(() -> describe(index, bounds) + (reverse ? " reverse" : ""))
        .usingElementComparator(ValueOrder::compare)
        .containsExactlyElementsOf(
            reverse == index.isDescending(0) ? expected : expected.descendingSet());
  }

  private void checkScan(Index index, ScanBounds bounds, boolean reverse, List<Entry> within) {
    var scan = new PlanNode.Fetch(new PlanNode.IndexScan(index, bounds, reverse, null), null);
    List<Integer> expected = ids(within).stream().distinct().toList();
    for (boolean suspended : new boolean[] {false, true}) {
      assertThat(rows(scan, suspended))
          .as(() -> describe(index, bounds) + (reverse ? " reverse" : "") + " " + suspended)
          .isEqualTo(expected);
    }
  }

  private static List<Integer> ids(List<Entry> entries) {
    return entries.stream().map(Entry::id).toList();
  }

  private String describe(Index index, ScanBounds bounds) {
    return "seed %d: %s %s".formatted(seed, index.definition().spec().toJson(), bounds);
  }

  private FieldIntervals intervals(int part, List<Entry> entries) {
    String name = "part " + part;
    if (random.nextInt(4) == 0) {
      return FieldIntervals.all(name);
    }
    var values = new TreeSet<RawValue>(ValueOrder::compare);
    int count = 1 + random.nextInt(6);
    while (values.size() < count) {
      values.add(
          entries.isEmpty() || random.nextInt(4) == 0
              ? value()
              : entries.get(random.nextInt(entries.size())).values().get(part));
    }
    return new FieldIntervals(name, intervals(List.copyOf(values)));
  }

  private RawValue value() {
    BsonValue value = data.value(1);
    return value instanceof BsonUndefined
        ? RawValue.MIN_KEY
        : RawDocument.of(new BsonDocument("v", value)).get("v");
  }

  /** Ascending, apart from each other, with ends among the values. */
  private List<Interval> intervals(List<RawValue> values) {
    var intervals = new ArrayList<Interval>();
    boolean onlyPoints = random.nextBoolean();
    int next = 0;
    boolean nextIncluded = true;
    while (next < values.size()) {
      boolean lowInclusive = nextIncluded && random.nextBoolean();
      if (nextIncluded && (onlyPoints || next == values.size() - 1 || random.nextInt(3) == 0)) {
        intervals.add(Interval.point(values.get(next)));
        next++;
        nextIncluded = true;
      } else if (next == values.size() - 1) {
        break;
      } else {
        boolean highInclusive = random.nextBoolean();
        int end = next + 1 + random.nextInt(values.size() - next - 1);
        intervals.add(new Interval(values.get(next), lowInclusive, values.get(end), highInclusive));
        next = highInclusive ? end + 1 : end;
        nextIncluded = highInclusive;
      }
    }
    return intervals;
  }

  private static boolean isWithin(List<RawValue> values, List<FieldIntervals> fields) {
    for (int i = 0; i < fields.size(); i++) {
      RawValue value = values.get(i);
      if (fields.get(i).intervals().stream().noneMatch(interval -> isWithin(value, interval))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWithin(RawValue value, Interval interval) {
    int low = ValueOrder.compare(value, interval.low());
    int high = ValueOrder.compare(value, interval.high());
    return (low > 0 || (low == 0 && interval.lowInclusive()))
        && (high < 0 || (high == 0 && interval.highInclusive()));
  }

  /** The ids of the rows, or nulls where rows have no documents. */
  private List<Integer> rows(PlanNode plan, boolean suspended) {
    var ids = new ArrayList<Integer>();
    try (Snapshot first = database.engine().snapshot();
        Snapshot later = database.engine().snapshot();
        Step step = open(plan, first)) {
      while (step.next()) {
        RawDocument document = step.document();
        ids.add(document == null ? null : document.get("_id").asInt32());
        if (suspended && random.nextInt(SUSPENSIONS) == 0) {
          step.suspend();
          step.resume(later, database.operation());
        }
      }
    }
    return ids;
  }

  private Step open(PlanNode plan, Snapshot view) {
    return Steps.open(
        plan,
        new StepContext(
            database.collection(), view, database.operation(), null, null, false, null, null));
  }
}
