package dev.wisent.bench.store;

import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.data.Places;
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

  /** Reads the documents with these ids in any order and counts them. */
  int readAll(String collection, List<String> ids);

  /** Reads the matching documents in any order and counts them. */
  int find(String collection, Filter filter);

  /** Reads one field of the matching documents, and counts them. */
  int findField(String collection, Filter filter, Field field);

  /** Reads at most {@code limit} matching documents in the order of a field. */
  int findSorted(String collection, Filter filter, Field order, int limit);

  /** Reads at most {@code limit} documents with {@code id >= from}, in the order of ids. */
  int scanFrom(String collection, String fromId, int limit);

  /** Reads the {@code limit} documents that have one of the words and fit best. */
  int search(String collection, Field field, List<String> words, int limit);

  /** Reads the {@code limit} documents that are nearest to a point, the nearest first. */
  int near(String collection, Field field, Places.Point point, int limit);

  /** Counts the matching documents, on the server. */
  long count(String collection, Filter filter);

  /** Has the server work something out, and counts the rows of the answer. */
  int analyse(Analysis analysis);

  /**
   * Inserts a document and adds one to an integer field of another, in a transaction.
   *
   * @return how often it was tried again
   */
  default int insertAndIncrement(
      String collection, BenchDocument document, String id, String field) {
    throw new UnsupportedOperationException("no transactions");
  }

  /**
   * Adds one to an integer field of several documents, in a transaction.
   *
   * @return how often it was tried again
   */
  default int incrementAll(String collection, List<String> ids, String field) {
    throw new UnsupportedOperationException("no transactions");
  }

  /** Looks at every document through a filter that no index helps and nothing matches. */
  int fruitlessScan(String collection);

  @Override
  void close();
}
