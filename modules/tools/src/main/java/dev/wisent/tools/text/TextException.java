package dev.wisent.tools.text;

/** A text that is not what its format says. */
public final class TextException extends Exception {
  private static final long serialVersionUID = 1L;

  public TextException(String message) {
    super(message);
  }
}
