package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Sends commands to other nodes on their ordinary ports. A future that fails does so with a {@link
 * CommandException}: {@code HostUnreachable}, {@code NetworkInterfaceExceededTimeLimit} at the
 * deadline, {@code PooledConnectionAcquisitionExceededTimeLimit} where the queue of the host is
 * full, {@code ProtocolError} for a reply that breaks the protocol, {@code ShutdownInProgress}.
 */
public interface NodeClient extends AutoCloseable {
  /**
   * Sends a command. The future completes with the reply, {@code ok: 1} or not. To cancel the
   * future ends the call: a reply that is still under way reaches no other call.
   */
  CompletableFuture<RawDocument> call(HostAndPort host, NodeRequest request);

  /**
   * Sends a command on the calling thread, which then takes the reply: a call without a hand-over
   * to another thread.
   *
   * @return null where no connection is idle; {@link #call} then waits for one
   * @throws CommandException if the command cannot be sent
   */
  default SentCall send(HostAndPort host, NodeRequest request) {
    return null;
  }

  /**
   * Sends a command that allows the other node to go on replying ({@code exhaustAllowed}), over a
   * connection of its own. The timeout of the request is the time between two replies. The future
   * completes when the other node has sent its last reply; to cancel it ends the stream.
   *
   * @param replies called with one reply after the other
   */
  CompletableFuture<Void> stream(
      HostAndPort host, NodeRequest request, Consumer<RawDocument> replies);

  /** The pools of all hosts that were called. */
  List<HostPoolStats> stats();

  /** Closes idle connections to some hosts at once, and those in use after their call. */
  void dropConnections(Set<HostAndPort> hosts);

  /** Ends the calls to a host that is taken for dead, as if their connections were lost. */
  void failCalls(HostAndPort host);

  /** Ends all calls. */
  @Override
  void close();

  /**
   * Sends a command and waits for its reply.
   *
   * @throws CommandException if there is no reply, or the error in the reply
   */
  default RawDocument run(HostAndPort host, NodeRequest request) {
    CompletableFuture<RawDocument> answer = call(host, request);
    try {
      RawDocument reply = answer.get();
      CommandReplies.requireOk(reply);
      return reply;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
    }
  }
}
