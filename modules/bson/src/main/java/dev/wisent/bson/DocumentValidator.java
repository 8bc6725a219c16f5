package dev.wisent.bson;

/** Checks in one pass that bytes from outside are a well-formed document. */
public final class DocumentValidator {
  private DocumentValidator() {}

  public static void validate(byte[] bytes, int offset, int length, int depthMax) {
    throw new UnsupportedOperationException();
  }
}
