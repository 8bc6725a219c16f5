package dev.wisent.server.command.concern;

/** Where a concern comes from, in MongoDB's words. */
enum Provenance {
  CLIENT_SUPPLIED("clientSupplied"),
  CUSTOM_DEFAULT("customDefault"),
  IMPLICIT_DEFAULT("implicitDefault"),
  INTERNAL_WRITE_DEFAULT("internalWriteDefault"),
  GET_LAST_ERROR_DEFAULTS("getLastErrorDefaults");

  private final String text;

  Provenance(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** Null if there is no such word. */
  static Provenance of(String text) {
    for (Provenance provenance : values()) {
      if (provenance.text.equals(text)) {
        return provenance;
      }
    }
    return null;
  }
}
