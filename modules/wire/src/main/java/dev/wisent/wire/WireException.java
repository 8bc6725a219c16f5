package dev.wisent.wire;

/** The bytes are not a message of the protocol; the connection has to be closed. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message, null, false, false);
  }
}
