package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.cluster.call.ShardRequest.Purpose;
import dev.wisent.wire.client.RemoteErrorException;
import dev.wisent.wire.client.UnsentCallException;

/** After which errors a call is sent again. */
final class CallRepeats {
  /** How often a call that may be repeated is sent in all. */
  private static final int ATTEMPTS_MAX = 4;

  /** The same for a change: a new primary of the config servers may be gone soon again. */
  private static final int CHANGE_ATTEMPTS_MAX = 10;

  private CallRepeats() {}

  /**
   * @param repeatable whether a second attempt has no second effect
   * @param attempts how often it was sent
   */
  static boolean areWorthIt(
      ShardRequest request, boolean repeatable, int attempts, CommandException error) {
    int number = RemoteErrorException.numberOf(error);
    int most = request.purpose() == Purpose.CHANGE ? CHANGE_ATTEMPTS_MAX : ATTEMPTS_MAX;
    return attempts < most
        && ((repeatable ? RetryableErrors.isRetryable(number) : isForAnother(request, number))
            || isUnsent(request, error));
  }

  /** A request that did not get there as a whole has no effect. */
  private static boolean isUnsent(ShardRequest request, CommandException error) {
    return request.host() == null && error instanceof UnsentCallException;
  }

  /** A member that is no longer, or not yet, the primary has not begun a control command. */
  private static boolean isForAnother(ShardRequest request, int number) {
    return request.purpose() == Purpose.CONTROL
        && request.host() == null
        && (number == ErrorCode.NOT_WRITABLE_PRIMARY.code()
            || number == ErrorCode.NOT_PRIMARY_OR_SECONDARY.code());
  }
}
