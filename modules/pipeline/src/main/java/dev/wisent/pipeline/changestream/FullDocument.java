package dev.wisent.pipeline.changestream;

/** Which document the events of updates carry. */
public enum FullDocument {
  /** None: the event says what has changed. */
  DEFAULT("default"),
  /** The newest version when the event is read. */
  UPDATE_LOOKUP("updateLookup"),
  /** The version that the update made, if it is known. */
  WHEN_AVAILABLE("whenAvailable"),
  /** The version that the update made; the stream ends with an error where it is not known. */
  REQUIRED("required");

  private final String text;

  FullDocument(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
