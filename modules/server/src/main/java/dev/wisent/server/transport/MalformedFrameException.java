package dev.wisent.server.transport;

/** The byte stream of a connection cannot be cut into messages any further. */
final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedFrameException(String reason) {
    super(reason, null, false, false);
  }
}
