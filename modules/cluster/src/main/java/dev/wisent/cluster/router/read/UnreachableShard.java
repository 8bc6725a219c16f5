package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.Set;

/** The errors that tell that no member of a shard answers for now. */
final class UnreachableShard {
  private static final Set<ErrorCode> CODES =
      Set.of(
          ErrorCode.HOST_UNREACHABLE,
          ErrorCode.HOST_NOT_FOUND,
          ErrorCode.NETWORK_TIMEOUT,
          ErrorCode.NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT,
          ErrorCode.POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT,
          ErrorCode.SOCKET_EXCEPTION,
          ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
          ErrorCode.NOT_WRITABLE_PRIMARY,
          ErrorCode.NOT_PRIMARY_NO_SECONDARY_OK,
          ErrorCode.NOT_PRIMARY_OR_SECONDARY,
          ErrorCode.PRIMARY_STEPPED_DOWN,
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE,
          ErrorCode.INTERRUPTED_AT_SHUTDOWN,
          ErrorCode.SHUTDOWN_IN_PROGRESS,
          ErrorCode.MAX_TIME_MS_EXPIRED);

  private UnreachableShard() {}

  static boolean isCauseOf(CommandException error) {
    return CODES.contains(error.code());
  }
}
