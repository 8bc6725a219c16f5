package dev.wisent.bench.data;

/** YCSB's records: a key and ten fields of 100 characters. */
public final class YcsbRecords {
  public static final int FIELD_COUNT = 10;
  public static final int FIELD_CHARS = 100;
  public static final String FIELD_PREFIX = "field";

  private final long seed;

  public YcsbRecords(long seed) {
    this.seed = seed;
  }

  /** The record as it is first stored. YCSB's own values would differ from run to run. */
  public BenchDocument record(String key) {
    return new Entry(key);
  }

  private final class Entry implements BenchDocument {
    private final String key;

    Entry(String key) {
      this.key = key;
    }

    @Override
    public String id() {
      return key;
    }

    @Override
    public void writeFields(FieldSink sink) {
      long number = 0;
      for (int i = 0; i < key.length(); i++) {
        number = number * 31 + key.charAt(i);
      }
      var random = SeededText.random(seed, number);
      for (int i = 0; i < FIELD_COUNT; i++) {
        sink.string(FIELD_PREFIX + i, SeededText.characters(random, FIELD_CHARS));
      }
    }
  }
}
