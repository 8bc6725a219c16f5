package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.wire.HostAndPort;
import java.io.IOException;

/** The errors that calls to a host end with when there is no reply. */
final class HostFailures {
  private HostFailures() {}

  /** For what went wrong on a connection. */
  static CommandException of(HostAndPort host, Exception why) {
    return switch (why) {
      case NodeConnection.ReplyException reply ->
          new CommandException(ErrorCode.PROTOCOL_ERROR, host + " sent " + reply.getMessage());
      case NodeConnection.RequestException request ->
          new CommandException(
              ErrorCode.BSON_OBJECT_TOO_LARGE,
              request.getMessage() + " is too large to be sent to " + host);
      default -> unreachable(host, why.toString());
    };
  }

  /** For what went wrong while a request was sent. */
  static CommandException ofSending(HostAndPort host, Exception why) {
    return why instanceof IOException && !(why instanceof NodeConnection.RequestException)
        ? unsent(host, why.toString())
        : of(host, why);
  }

  static CommandException unreachable(HostAndPort host, String why) {
    return new CommandException(ErrorCode.HOST_UNREACHABLE, connecting(host, why));
  }

  /** For a request that did not get to its host. */
  static CommandException unsent(HostAndPort host, String why) {
    return new UnsentCallException(connecting(host, why));
  }

  private static String connecting(HostAndPort host, String why) {
    return "Error connecting to " + host + " :: caused by :: " + why;
  }

  static CommandException timeout(HostAndPort host, NodeRequest request) {
    return new CommandException(
        ErrorCode.NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT,
        "Request to " + host + " timed out, after " + request.timeout().toMillis() + " ms");
  }

  static CommandException tooMany(HostAndPort host) {
    return new CommandException(
        ErrorCode.POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT,
        "Too many requests wait for a connection to " + host);
  }

  static CommandException shutdown() {
    return new CommandException(ErrorCode.SHUTDOWN_IN_PROGRESS, "this node is shutting down");
  }
}
