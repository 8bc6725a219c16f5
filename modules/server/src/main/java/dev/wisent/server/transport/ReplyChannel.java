package dev.wisent.server.transport;

/** Where a handler writes its replies; used by the thread in {@link ConnectionHandler#handle}. */
public interface ReplyChannel {
  /**
   * Sends one or more complete messages before it returns, so the buffer may be used again. Blocks
   * while the client does not read, hence nothing piles up. When the connection is broken the bytes
   * are dropped and {@link #isOpen} turns false.
   */
  void write(byte[] buffer, int offset, int length);

  /** As {@link ConnectionContext#isOpen}; a handler that streams replies stops when it is false. */
  boolean isOpen();
}
