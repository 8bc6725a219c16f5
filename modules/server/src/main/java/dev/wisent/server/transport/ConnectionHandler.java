package dev.wisent.server.transport;

import dev.wisent.base.Limits;

/**
 * What a connection's messages are given to. {@link #messageBytesMax}, {@link #bytesNeeded}, {@link
 * #classify}, {@link #handle}, {@link #parked} and {@link #closed} are never called at the same
 * time for one connection; successive calls may come from different threads, each seeing what the
 * one before did.
 */
public interface ConnectionHandler {
  /**
   * The longest message that the client may send now; asked when the length of one has arrived and
   * nothing has been reserved for it. A longer one ends the connection.
   */
  default int messageBytesMax() {
    return Limits.MESSAGE_BYTES_MAX;
  }

  /**
   * How many bytes a message takes while it is handled; asked before it is read, if it is large.
   *
   * @param start the message, or its first bytes, at least 32
   */
  long bytesNeeded(byte[] start, int length);

  /** How the message may run. Called once for each message, directly before {@link #handle}. */
  Execution classify(byte[] frame);

  /**
   * Handles one complete message, its 16-byte header included; {@code frame} is exactly the message
   * and belongs to the handler from now on. Messages come one at a time, in the order of arrival.
   * An exception is logged and closes the connection.
   */
  void handle(byte[] frame, ReplyChannel out);

  /**
   * The client has gone, or the connection was closed, while a message is being handled; the
   * operation should end soon. Called at most once, from any thread, while {@link #handle} runs;
   * not for a reply that could not be written. A client that only ended its sending side looks the
   * same as one that has gone, as it does to MongoDB.
   */
  void disconnected();

  /** No message is under way, and none is expected soon: what is kept for the next one may go. */
  void parked();

  /** The last call: no message is being handled and none will be. */
  void closed();
}
