package dev.wisent.database.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.DistinctRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * While documents change, every answer is the answer of some moment.
 *
 * <p>Each writer gives its documents new versions in turn, so one number says what all of them look
 * like: after version k the documents of a writer have the versions k-19 to k. An answer has to be
 * right for one of the versions between the start and the end of the query.
 */
class QueriesBesideWritesTest {
  private static final int WRITERS = 2;
  private static final int READERS = 2;
  private static final int DOCUMENTS = 20;
  private static final int QUERIES = 400;
  private static final int PAIR_EVERY = 16;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final AtomicLongArray begun = new AtomicLongArray(WRITERS);
  private final AtomicLongArray done = new AtomicLongArray(WRITERS);
  private final AtomicInteger readersLeft = new AtomicInteger(READERS);
  private TestDatabase database;

  @Test
  void everyAnswerIsThatOfSomeMoment(@TempDir Path directory) {
    System.out.println("QueriesBesideWritesTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      fill();
      Workers.run(
          WRITERS + READERS,
          thread -> {
            if (thread < WRITERS) {
              write(thread);
            } else {
              read(new SplittableRandom(seed + thread));
            }
          });
      database.assertValid();
      database.assertNothingLeaks();
    }
  }

  private void fill() {
    database.create("{}");
    for (String key :
        List.of("{w: 1, v: 1}", "{w: 1, p: 1}", "{p: -1}", "{tags: 1}", "{v: -1}", "{pair: 1}")) {
      database.createIndex(key);
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      for (long version = 0; version < DOCUMENTS; version++) {
        database.insert(
            "{_id: %d, w: %d, %s}".formatted(id(writer, version), writer, fields(version)));
        begun.set(writer, version);
        done.set(writer, version);
      }
    }
  }

  private static long id(int writer, long version) {
    return writer * 1000L + version % DOCUMENTS;
  }

  private static String fields(long version) {
    return "v: {$numberLong: '%d'}, p: %d, tags: [%d, 'all']"
        .formatted(version, version % 3, version % 7);
  }

  private void write(int writer) {
    while (readersLeft.get() > 0) {
      long version = begun.incrementAndGet(writer);
      database.update(
          "{_id: %d}".formatted(id(writer, version)), "{$set: {%s}}".formatted(fields(version)));
      done.set(writer, version);
      if (version % PAIR_EVERY == 0) {
        long pair = version * WRITERS + writer;
        database.insert("{pair: %d}".formatted(pair), "{pair: %d}".formatted(pair));
      }
    }
  }

  private void read(SplittableRandom random) {
    try {
      for (int i = 0; i < QUERIES; i++) {
        ask(random);
      }
    } finally {
      readersLeft.decrementAndGet();
    }
  }

  private void ask(SplittableRandom random) {
    int writer = random.nextInt(WRITERS);
    long from = done.get(writer) - random.nextInt(DOCUMENTS);
    long to = from + random.nextInt(DOCUMENTS);
    int p = random.nextInt(3);
    int tag = random.nextInt(7);
    String range = "w: %d, v: {$gte: %d, $lt: %d}".formatted(writer, from, to);
    LongPredicate inRange = v -> v >= from && v < to;
    switch (random.nextInt(9)) {
      case 0 -> find(writer, Finds.of("{%s}".formatted(range)).sort("{v: 1}"), inRange);
      case 1 ->
          find(
              writer,
              Finds.of("{%s}".formatted(range)).sort("{v: -1}").projection("{_id: 0, v: 1}"),
              inRange);
      case 2 ->
          find(
              writer,
              Finds.of("{%s, p: %d}".formatted(range, p)),
              v -> inRange.test(v) && v % 3 == p);
      case 3 ->
          find(writer, Finds.of("{w: %d, tags: %d}".formatted(writer, tag)), v -> v % 7 == tag);
      case 4 ->
          find(
              writer,
              Finds.of("{w: %d, $or: [{p: %d}, {tags: %d}]}".formatted(writer, p, tag)),
              v -> v % 3 == p || v % 7 == tag);
      case 5 ->
          find(writer, Finds.of("{w: %d}".formatted(writer)).hint("{$natural: -1}"), v -> true);
      case 6 -> count(writer, p);
      case 7 -> distinct(writer, from);
      default -> pairs();
    }
  }

  private void find(int writer, Finds find, LongPredicate matches) {
    String what = find.toRequest().toString();
    check(
        writer,
        what,
        () ->
            text(
                database.find(find.toRequest()).stream()
                    .mapToLong(document -> document.get("v").toLong())),
        k -> k,
        matches);
  }

  private void count(int writer, int p) {
    String filter = "{w: %d, p: %d}".formatted(writer, p);
    long from = done.get(writer);
    long counted = database.count(filter);
    long to = begun.get(writer);
    assertThat(LongStream.rangeClosed(from, to))
        .as("seed %d: %d of %s at %d to %d", seed, counted, filter, from, to)
        .anyMatch(k -> versions(k).filter(v -> v % 3 == p).count() == counted);
  }

  private void distinct(int writer, long least) {
    var request =
        new DistinctRequest(
            TestDatabase.NAMESPACE,
            "p",
            RawDocument.parse("{w: %d, v: {$gte: %d}}".formatted(writer, least)),
            null);
    check(
        writer,
        request.toString(),
        () ->
            text(
                database.database().distinct(database.operation(), request).stream()
                    .mapToLong(value -> value.toLong())),
        v -> v % 3,
        v -> v >= least);
  }

  /** What one insert brings is there as a whole or not at all. */
  private void pairs() {
    var found =
        database.find(Finds.of("{pair: {$gte: 0}}").toRequest()).stream()
            .collect(
                Collectors.groupingBy(
                    document -> document.get("pair").toLong(), Collectors.counting()));
    assertThat(found.values()).as("seed %d: %s", seed, found).allMatch(size -> size == 2);
  }

  private interface Asking {
    String answer();
  }

  private void check(
      int writer, String what, Asking asking, LongUnaryOperator wanted, LongPredicate matches) {
    long from = done.get(writer);
    String answer = asking.answer();
    long to = begun.get(writer);
    assertThat(LongStream.rangeClosed(from, to))
        .as("seed %d: %s of %s at %d to %d", seed, answer, what, from, to)
        .anyMatch(k -> text(versions(k).filter(matches).map(wanted).distinct()).equals(answer));
  }

  private static LongStream versions(long k) {
    return LongStream.rangeClosed(k - DOCUMENTS + 1, k);
  }

  private static String text(LongStream values) {
    return values.sorted().boxed().toList().toString();
  }
}
