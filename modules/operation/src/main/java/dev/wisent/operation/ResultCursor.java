package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;

/**
 * Results that are fetched step by step, over several commands. Between commands the cursor is
 * detached: it holds no snapshot and no operation, only its place.
 */
public interface ResultCursor extends AutoCloseable {
  /** Between stages documents may be larger, but not in a reply. */
  static void requireReplySize(RawDocument document) {
    if (document.length() > Limits.DOCUMENT_BYTES_MAX_INTERNAL) {
      throw new CommandException(
          ErrorCode.BSON_OBJECT_TOO_LARGE,
          "BSONObj size: %1$d (0x%1$X) is invalid. Size must be between 0 and %2$d(16MB)"
              .formatted(document.length(), Limits.DOCUMENT_BYTES_MAX_INTERNAL));
    }
  }

  /** Takes up the work under an operation. */
  void attach(OperationContext operation);

  /** Lets go of everything but the place. */
  void detach();

  /**
   * The next document, which stays next until {@link #take}; null where there is none: at the end,
   * or (tailable cursors) for now. The bytes stay valid until the call after {@link #take}.
   */
  RawDocument peek();

  /** Steps over the document that {@link #peek} has shown. */
  void take();

  /** Whether {@link #peek} will never give anything again. */
  boolean isExhausted();

  default boolean isTailable() {
    return false;
  }

  /**
   * Waits, at the end of a tailable cursor that awaits data, until something may have come or the
   * time is over.
   */
  default void awaitMore(long timeoutMillis) {}

  default boolean awaitsData() {
    return false;
  }

  /** Whether it has the events of a change stream. */
  default boolean isChangeStream() {
    return false;
  }

  /** Where a change stream goes on after the documents that were taken; null for other cursors. */
  default RawDocument postBatchResumeToken() {
    return null;
  }

  /** The time of the newest change that a change stream could give; 0 for other cursors. */
  default long newestTime() {
    return 0;
  }

  /**
   * Whether a change stream that has nothing ahead has given all changes up to a time. It may have
   * nothing ahead before that, as when it has passed many changes that do not concern it.
   */
  default boolean hasGiven(long time) {
    return true;
  }

  /** Whether documents are missing because shards did not answer, which the client allowed. */
  default boolean isPartial() {
    return false;
  }

  /** How long it may go unused, where that is less than the limit of all cursors. */
  default long idleMillisMax() {
    return Long.MAX_VALUE;
  }

  @Override
  void close();
}
