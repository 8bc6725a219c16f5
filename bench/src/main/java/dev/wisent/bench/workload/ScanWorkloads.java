package dev.wisent.bench.workload;

import static dev.wisent.bench.workload.LoopWorkload.expect;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.store.Filter;
import dev.wisent.bench.store.Filter.AtLeast;
import dev.wisent.bench.store.Filter.Equal;
import dev.wisent.bench.store.Filter.Matching;
import dev.wisent.bench.store.Session;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Filters that no index helps. */
final class ScanWorkloads {
  private ScanWorkloads() {}

  static List<Workload> all() {
    return List.of(
        scan("scan-filter", "three conditions, few documents", ScanWorkloads::filter),
        scan("scan-regex", "a regular expression, few documents", ScanWorkloads::regex),
        scan(
            "scan-count", "count of the documents that meet two conditions", ScanWorkloads::count));
  }

  private static Workload scan(String name, String summary, LoopWorkload.Step step) {
    return new ScanWorkload(name, summary, List.of(Dataset.DOCUMENTS), step, null);
  }

  /** Two conditions that nearly all documents meet, so that all three are asked of them. */
  private static void filter(
      Session session, String collection, long records, SplittableRandom random) {
    long from = records / 20;
    long group = random.nextLong(from / DocumentGenerator.GROUP_SIZE, groups(records));
    long first = Math.max(from, group * DocumentGenerator.GROUP_SIZE);
    long end = Math.min(records, (group + 1) * DocumentGenerator.GROUP_SIZE);
    var filter =
        Filter.of(
            new AtLeast(Fields.RANK, from),
            new AtLeast(Fields.SHELF, 1L),
            new Equal(Fields.GROUP, group));
    long size = Math.max(0, end - first) - onShelf(0, first, end);
    expect(size, session.find(collection, filter));
  }

  /** The addresses hold the number of their document. */
  private static void regex(
      Session session, String collection, long records, SplittableRandom random) {
    int digit = random.nextInt(1, 10);
    var filter = Filter.of(new Matching(Fields.EMAIL, "\\." + digit + "[0-9]{2}7@"));
    long size =
        LongStream.range(digit * 1000L, (digit + 1) * 1000L)
            .filter(number -> number < records && number % 10 == 7)
            .count();
    expect(size, session.find(collection, filter));
  }

  private static void count(
      Session session, String collection, long records, SplittableRandom random) {
    long half = records / 2;
    long shelf = random.nextLong(DocumentGenerator.SHELVES);
    var filter = Filter.of(new AtLeast(Fields.RANK, half), new Equal(Fields.SHELF, shelf));
    expect(onShelf(shelf, half, records), session.count(collection, filter));
  }

  private static long groups(long records) {
    return (records - 1) / DocumentGenerator.GROUP_SIZE + 1;
  }

  /** How many of the ranks are on a shelf. */
  private static long onShelf(long shelf, long fromRank, long toRank) {
    return LongStream.range(fromRank, toRank)
        .filter(rank -> rank % DocumentGenerator.SHELVES == shelf)
        .count();
  }
}
