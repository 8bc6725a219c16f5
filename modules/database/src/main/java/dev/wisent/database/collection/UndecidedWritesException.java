package dev.wisent.database.collection;

/**
 * A definition cannot change yet: a prepared transaction, whose end other shards decide, has
 * changes of the collection. Nothing has been done, and nothing waits for that under a lock.
 */
final class UndecidedWritesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient PreparedCount prepared;

  UndecidedWritesException(PreparedCount prepared) {
    super("a prepared transaction has no outcome yet", null, false, false);
    this.prepared = prepared;
  }

  PreparedCount prepared() {
    return prepared;
  }
}
