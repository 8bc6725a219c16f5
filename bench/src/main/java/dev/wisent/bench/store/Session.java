package dev.wisent.bench.store;

import dev.wisent.bench.data.BenchDocument;
import java.util.List;

/** One client's operations. Each waits for its answer and throws when the server refuses. */
public interface Session extends AutoCloseable {
  void insert(String collection, BenchDocument document);

  void insertMany(String collection, List<BenchDocument> documents);

  /** Reads a whole document by id; false when there is none. */
  boolean read(String collection, String id);

  /** Adds one to an integer field; false when there is no such document. */
  boolean increment(String collection, String id, String field);

  /** Sets a string field; false when there is no such document. */
  boolean setField(String collection, String id, String field, String value);

  /** Reads the documents with {@code from <= field < to} in any order and counts them. */
  int range(String collection, String field, long from, long to);

  /** Reads at most {@code limit} documents with {@code field >= from}, in the field's order. */
  int sortedRange(String collection, String field, long from, int limit);

  /** Reads at most {@code limit} documents with {@code id >= from}, in the order of ids. */
  int scanFrom(String collection, String fromId, int limit);

  /** Counts the documents with this value, on the server. */
  long count(String collection, String field, long value);

  /** Looks at every document through a filter that no index helps and nothing matches. */
  int fruitlessScan(String collection);

  @Override
  void close();
}
