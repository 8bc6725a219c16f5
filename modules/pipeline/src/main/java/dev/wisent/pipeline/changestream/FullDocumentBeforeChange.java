package dev.wisent.pipeline.changestream;

/** Whether events carry the document as it was before the change. */
public enum FullDocumentBeforeChange {
  OFF("off"),
  /** If it is known. */
  WHEN_AVAILABLE("whenAvailable"),
  /** The stream ends with an error where it is not known. */
  REQUIRED("required");

  private final String text;

  FullDocumentBeforeChange(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
