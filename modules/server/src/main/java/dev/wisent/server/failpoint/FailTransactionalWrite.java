package dev.wisent.server.failpoint;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * What the {@code onPrimaryTransactionalWrite} fail point does when a retryable write commits.
 *
 * @param skips how many commits to spare before it acts
 * @param times how often it acts then; {@link Long#MAX_VALUE} for always
 * @param closeConnection whether the client gets no answer
 * @param errorCode what the write fails with instead of being committed; 0 if it is committed
 */
record FailTransactionalWrite(long skips, long times, boolean closeConnection, int errorCode) {
  static FailTransactionalWrite parse(long skips, long times, RawDocument data) {
    RawValue close = data.get("closeConnection");
    RawValue code = data.get("failBeforeCommitExceptionCode");
    return new FailTransactionalWrite(
        skips,
        times,
        close == null || close.isTruthy(),
        code != null && code.isNumber() ? (int) code.toLong() : 0);
  }

  /** The settings for the next commit; null if this was the last. */
  FailTransactionalWrite entered() {
    if (skips > 0) {
      return new FailTransactionalWrite(skips - 1, times, closeConnection, errorCode);
    }
    if (times == Long.MAX_VALUE) {
      return this;
    }
    return times <= 1 ? null : new FailTransactionalWrite(0, times - 1, closeConnection, errorCode);
  }
}
