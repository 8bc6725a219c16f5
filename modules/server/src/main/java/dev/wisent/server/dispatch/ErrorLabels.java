package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.failpoint.ForcedErrorException;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The labels that tell drivers what to do about an error. */
public final class ErrorLabels {
  private static final String TRANSIENT_TRANSACTION = "TransientTransactionError";
  private static final String RETRYABLE_WRITE = "RetryableWriteError";
  private static final String NO_WRITES = "NoWritesPerformed";

  /** After these the same write may succeed, here or on another member. */
  private static final Set<Integer> RETRYABLE =
      Stream.of(
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
              ErrorCode.NOT_PRIMARY_OR_SECONDARY)
          .map(ErrorCode::code)
          .collect(Collectors.toUnmodifiableSet());

  /** After these a transaction may succeed when it is tried again from its begin. */
  private static final Set<Integer> TRANSIENT =
      Stream.of(
              ErrorCode.WRITE_CONFLICT,
              ErrorCode.LOCK_TIMEOUT,
              ErrorCode.PREPARED_TRANSACTION_IN_PROGRESS,
              ErrorCode.SNAPSHOT_TOO_OLD,
              ErrorCode.SNAPSHOT_UNAVAILABLE,
              ErrorCode.STALE_CHUNK_HISTORY,
              ErrorCode.MIGRATION_CONFLICT,
              ErrorCode.NO_SUCH_TRANSACTION)
          .map(ErrorCode::code)
          .collect(Collectors.toUnmodifiableSet());

  private ErrorLabels() {}

  /** Whether the same may succeed after an error with this number, here or on another member. */
  public static boolean isRetryable(int code) {
    return RETRYABLE.contains(code);
  }

  /** Whether a transaction of which a statement failed may be tried again as a whole. */
  public static boolean isTransient(CommandException error) {
    return isTransientStatement(error.code().code())
        || error.labels().contains(TRANSIENT_TRANSACTION);
  }

  private static boolean isTransientStatement(int code) {
    return TRANSIENT.contains(code) || RETRYABLE.contains(code);
  }

  /**
   * The labels of an error that ends a command. A fail point may have its own instead.
   *
   * @param write what the operation recorded of its statements; null if it was not started
   */
  static List<String> of(CommandRequest request, RetryableWrite write, CommandException error) {
    if (error instanceof ForcedErrorException forced) {
      return forced.givenLabels() == null
          ? of(request, null, forced.number())
          : forced.givenLabels();
    }
    if (error instanceof RemoteErrorException remote) {
      // The node that ran the statements knows which of them it has begun.
      return remote.labels();
    }
    List<String> labels = of(request, write, error.code().code());
    return error.labels().isEmpty() ? labels : union(error.labels(), labels);
  }

  private static List<String> of(CommandRequest request, RetryableWrite write, int code) {
    if (request.isInTransaction()
        && (endsTransaction(request) ? TRANSIENT.contains(code) : isTransientStatement(code))) {
      return List.of(TRANSIENT_TRANSACTION);
    }
    return ofWriteConcern(request, write, code);
  }

  /** The labels of an error that the wait for a write concern ended with. */
  static List<String> ofWriteConcern(CommandRequest request, RetryableWrite write, int code) {
    if (!isRetryable(request) || !RETRYABLE.contains(code)) {
      return List.of();
    }
    return write != null && !write.attempted()
        ? List.of(RETRYABLE_WRITE, NO_WRITES)
        : List.of(RETRYABLE_WRITE);
  }

  private static List<String> union(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).distinct().toList();
  }

  /** Ends of transactions may be sent again too. */
  private static boolean isRetryable(CommandRequest request) {
    return request.transactionNumber() != null
        && (request.autocommit() == null || endsTransaction(request));
  }

  private static boolean endsTransaction(CommandRequest request) {
    return request.name().equals("commitTransaction") || request.name().equals("abortTransaction");
  }
}
