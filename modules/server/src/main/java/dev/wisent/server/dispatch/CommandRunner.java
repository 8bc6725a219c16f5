package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.operation.RunningOperation;

/**
 * How a role runs commands: what comes before and after each one, such as the wait for its read and
 * write concern, and what ends its reply.
 */
public interface CommandRunner {
  /** Whether transactions and retryable writes are possible here. */
  boolean takesTransactionNumbers();

  /** The request with the name of a collection that it calls by UUID; otherwise the same. */
  CommandRequest named(CommandRequest request, CommandSpec spec);

  /** Runs a command; an error is thrown. */
  void run(RunningOperation operation, BsonBuilder reply);

  /** Adds what belongs to a write concern error with this number. */
  void stateChanged(int errorCode, BsonBuilder reply);

  /**
   * Ends every reply.
   *
   * @param operation null for a request that never became one
   * @param errorCode 0 for a command that has succeeded
   */
  void end(OperationContext operation, int errorCode, BsonBuilder reply);

  /** What a fault of the role is to a client; null for any other exception. */
  CommandException faultOf(RuntimeException thrown);
}
