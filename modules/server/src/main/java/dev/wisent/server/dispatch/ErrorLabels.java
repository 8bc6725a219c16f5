package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.failpoint.ForcedErrorException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The labels that tell drivers what to do about an error. */
final class ErrorLabels {
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

  private ErrorLabels() {}

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
    List<String> labels = of(request, write, error.code().code());
    return error.labels().isEmpty() ? labels : union(error.labels(), labels);
  }

  /** The labels of an error with this number, also of one that waiting for a write ended with. */
  static List<String> of(CommandRequest request, RetryableWrite write, int code) {
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

  /** Ends of transactions may be sent again too, also those that are not supported yet. */
  private static boolean isRetryable(CommandRequest request) {
    if (request.transactionNumber() == null) {
      return false;
    }
    return request.autocommit() == null
        || request.name().equals("commitTransaction")
        || request.name().equals("abortTransaction");
  }
}
