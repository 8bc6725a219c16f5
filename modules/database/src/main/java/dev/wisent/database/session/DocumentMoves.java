package dev.wisent.database.session;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.RetryableWrite;
import java.util.ArrayList;
import java.util.List;

/**
 * The documents that a statement of a transaction takes away from this shard because their new
 * shard keys belong to another one. The router inserts them there, in the same transaction. For the
 * thread of the operation.
 */
public final class DocumentMoves {
  private final RetryableWrite ofWrite;
  private final List<Moved> moved = new ArrayList<>(1);

  /**
   * A document for another shard.
   *
   * @param index the place of its statement in the batch
   */
  public record Moved(int index, RawDocument document) {}

  /**
   * @param ofWrite the retryable write that the transaction executes, whose statement is done when
   *     the transaction commits; null in a transaction of the client's own
   */
  public DocumentMoves(RetryableWrite ofWrite) {
    this.ofWrite = ofWrite;
  }

  RetryableWrite ofWrite() {
    return ofWrite;
  }

  public void add(int index, RawDocument document) {
    moved.add(new Moved(index, document));
  }

  public List<Moved> moved() {
    return moved;
  }
}
