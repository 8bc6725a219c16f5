package dev.wisent.bench.data;

/**
 * A document for each {@link DocumentGenerator#GROUP group} of documents, to be joined with them.
 */
public final class Groups {
  public static final String NUMBER = "number";

  private Groups() {}

  /** How many groups so many documents have. */
  public static long count(long records) {
    return (records - 1) / DocumentGenerator.GROUP_SIZE + 1;
  }

  public static BenchDocument document(long number) {
    return new Group(number);
  }

  private record Group(long number) implements BenchDocument {
    @Override
    public String id() {
      return DocumentGenerator.id(number);
    }

    @Override
    public void writeFields(FieldSink sink) {
      sink.int64(NUMBER, number);
      sink.string("name", "group " + number);
    }
  }
}
