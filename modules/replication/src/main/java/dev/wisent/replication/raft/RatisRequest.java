package dev.wisent.replication.raft;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.util.JavaUtils;

/** A request to a Ratis server whose answer a thread waits for. */
@FunctionalInterface
interface RatisRequest {
  CompletableFuture<RaftClientReply> send() throws IOException;

  /**
   * Sends a request and waits for its success.
   *
   * @param action what it does, for errors
   */
  static void await(String action, RatisRequest request, Duration timeout) {
    try {
      // A little more than Ratis itself waits, so that it can say what was wrong.
      RaftClientReply reply = request.send().get(timeout.toMillis() + 200, TimeUnit.MILLISECONDS);
      if (!reply.isSuccess()) {
        throw failure(action, reply.getException());
      }
    } catch (TimeoutException e) {
      throw new CommandException(ErrorCode.EXCEEDED_TIME_LIMIT, "It took too long to " + action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ErrorCode.INTERRUPTED, "Interrupted while waiting to " + action);
    } catch (ExecutionException e) {
      throw failure(action, e.getCause());
    } catch (IOException e) {
      throw failure(action, e);
    }
  }

  private static CommandException failure(String action, Throwable error) {
    Throwable cause = JavaUtils.unwrapCompletionException(error);
    ErrorCode code =
        cause instanceof NotLeaderException
            ? ErrorCode.NOT_WRITABLE_PRIMARY
            : cause instanceof ReconfigurationInProgressException
                ? ErrorCode.CONFIGURATION_IN_PROGRESS
                : ErrorCode.OPERATION_FAILED;
    return new CommandException(code, "Cannot " + action + ": " + cause.getMessage());
  }
}
