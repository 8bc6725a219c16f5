package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.RetryableErrors;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.failpoint.ForcedErrorException;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The labels that tell drivers what to do about an error. */
public final class ErrorLabels {
  private static final String TRANSIENT_TRANSACTION = "TransientTransactionError";
  private static final String RETRYABLE_WRITE = "RetryableWriteError";
  private static final String NO_WRITES = "NoWritesPerformed";

  private static final Set<String> ENDS =
      Set.of(
          "commitTransaction",
          "abortTransaction",
          "prepareTransaction",
          "coordinateCommitTransaction");

  private ErrorLabels() {}

  /** Whether a transaction of which a statement failed may be tried again as a whole. */
  public static boolean isTransient(CommandException error) {
    return RetryableErrors.isTransientInTransaction(error.code().code())
        || error.labels().contains(TRANSIENT_TRANSACTION);
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
    boolean transientError =
        endsTransaction(request)
            ? RetryableErrors.isTransientAtCommit(code)
            : RetryableErrors.isTransientInTransaction(code);
    if (request.isInTransaction() && transientError) {
      return List.of(TRANSIENT_TRANSACTION);
    }
    return ofWriteConcern(request, write, code);
  }

  /** The labels of an error that the wait for a write concern ended with. */
  static List<String> ofWriteConcern(CommandRequest request, RetryableWrite write, int code) {
    if (!isRetryable(request) || !RetryableErrors.isRetryable(code)) {
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
    return ENDS.contains(request.name());
  }
}
