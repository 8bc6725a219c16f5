package dev.wisent.bench.data;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Documents of about 700 bytes of BSON: the size of a small order or profile.
 *
 * <p>Documents {@code 0 .. records-1} are the loaded set. Their {@link #RANK} is a permutation of
 * the same range, so that a range of ranks has a known size and is scattered over the collection;
 * {@link #AT} follows the rank, {@link #GROUP} holds {@link #GROUP_SIZE} neighbouring ranks, and
 * {@link #SHELF} every {@link #SHELVES}th one.
 */
public final class DocumentGenerator {
  public static final String RANK = "rank";
  public static final String AT = "at";
  public static final String GROUP = "group";
  public static final String SHELF = "shelf";
  public static final String COUNTER = "n";
  public static final String EMAIL = "email";
  public static final int GROUP_SIZE = 100;
  public static final int SHELVES = 50;

  private static final long AT_START_MILLIS = 1_700_000_000_000L;
  private static final long AT_STEP_MILLIS = 1000;
  private static final int TEXT_CHARS = 370;

  private final long seed;
  private final long records;
  private final long stride;

  public DocumentGenerator(long seed, long records) {
    if (records < 1) {
      throw new IllegalArgumentException("records must be at least 1, not " + records);
    }
    this.seed = seed;
    this.records = records;
    this.stride = strideFor(records);
  }

  public long records() {
    return records;
  }

  /** Ids rise with the number, as generated ObjectIds do. */
  public static String id(long number) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, 12 - digits.length())) + digits;
  }

  /** The {@link #AT} value of the document with this rank. */
  public static long atOfRank(long rank) {
    return AT_START_MILLIS + rank * AT_STEP_MILLIS;
  }

  public BenchDocument document(long number) {
    return new Entry(number);
  }

  private long rank(long number) {
    return number < records ? Math.floorMod(number * stride, records) : number;
  }

  /** A step near the golden section that is coprime with the size, so that it visits every rank. */
  private static long strideFor(long records) {
    long candidate = Math.max(1, (long) (records * 0.6180339887));
    while (gcd(candidate, records) != 1) {
      candidate++;
    }
    return candidate;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private final class Entry implements BenchDocument {
    private final long number;

    Entry(long number) {
      this.number = number;
    }

    @Override
    public String id() {
      return DocumentGenerator.id(number);
    }

    @Override
    public void writeFields(FieldSink sink) {
      SplittableRandom random = SeededText.random(seed, number);
      long rank = rank(number);
      String first = SeededText.word(random);
      String last = SeededText.word(random);
      sink.int64(RANK, rank);
      sink.int64(AT, atOfRank(rank));
      sink.int32(GROUP, (int) (rank / GROUP_SIZE));
      sink.int32(SHELF, (int) (rank % SHELVES));
      sink.int32(COUNTER, 0);
      sink.string("name", first + " " + last);
      sink.string(EMAIL, first + "." + last + "." + number + "@example.org");
      sink.bool("active", random.nextBoolean());
      sink.float64("balance", random.nextInt(1_000_000) / 100.0);
      sink.strings(
          "tags",
          List.of(SeededText.word(random), SeededText.word(random), SeededText.word(random)));
      sink.startDocument("address");
      sink.string("street", random.nextInt(1, 1000) + " " + SeededText.word(random) + " street");
      sink.string("city", SeededText.word(random));
      sink.int32("zip", random.nextInt(10_000, 100_000));
      sink.endDocument();
      sink.string("text", SeededText.words(random, TEXT_CHARS));
    }
  }
}
