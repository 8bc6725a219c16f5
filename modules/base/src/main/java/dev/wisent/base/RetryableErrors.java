package dev.wisent.base;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Errors after which the same may succeed. By number, for fail points make errors of any. */
public final class RetryableErrors {
  private static final Set<Integer> RETRYABLE =
      numbers(
          ErrorCode.HOST_UNREACHABLE,
          ErrorCode.HOST_NOT_FOUND,
          ErrorCode.NETWORK_TIMEOUT,
          ErrorCode.SHUTDOWN_IN_PROGRESS,
          ErrorCode.READ_CONCERN_MAJORITY_NOT_AVAILABLE_YET,
          ErrorCode.PRIMARY_STEPPED_DOWN,
          ErrorCode.EXCEEDED_TIME_LIMIT,
          ErrorCode.SOCKET_EXCEPTION,
          ErrorCode.NOT_WRITABLE_PRIMARY,
          ErrorCode.INTERRUPTED_AT_SHUTDOWN,
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
          ErrorCode.NOT_PRIMARY_NO_SECONDARY_OK,
          ErrorCode.NOT_PRIMARY_OR_SECONDARY);

  private static final Set<Integer> TRANSIENT =
      numbers(
          ErrorCode.WRITE_CONFLICT,
          ErrorCode.LOCK_TIMEOUT,
          ErrorCode.PREPARED_TRANSACTION_IN_PROGRESS,
          ErrorCode.SNAPSHOT_TOO_OLD,
          ErrorCode.SNAPSHOT_UNAVAILABLE,
          ErrorCode.STALE_CHUNK_HISTORY,
          ErrorCode.MIGRATION_CONFLICT,
          ErrorCode.NO_SUCH_TRANSACTION);

  private RetryableErrors() {}

  private static Set<Integer> numbers(ErrorCode... codes) {
    return Stream.of(codes).map(ErrorCode::code).collect(Collectors.toUnmodifiableSet());
  }

  /** Whether the same write may succeed after it, here or on another member. */
  public static boolean isRetryable(int code) {
    return RETRYABLE.contains(code);
  }

  /** Whether a transaction whose commit ended with it may succeed from its begin. */
  public static boolean isTransientAtCommit(int code) {
    return TRANSIENT.contains(code);
  }

  /** Whether a transaction of which a statement ended with it may succeed from its begin. */
  public static boolean isTransientInTransaction(int code) {
    return isTransientAtCommit(code) || isRetryable(code);
  }
}
