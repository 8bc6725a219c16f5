package dev.wisent.security.tls;

/** Certificates or keys that cannot be used, in words for an operator. */
public final class TlsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public TlsException(String message) {
    super(message);
  }

  public TlsException(String message, Throwable cause) {
    super(message, cause);
  }
}
