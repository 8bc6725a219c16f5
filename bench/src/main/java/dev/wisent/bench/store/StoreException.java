package dev.wisent.bench.store;

/** A target refused or failed an operation. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StoreException(String operation, Throwable cause) {
    super(operation + ": " + cause.getMessage(), cause);
  }

  public StoreException(String message) {
    super(message);
  }
}
