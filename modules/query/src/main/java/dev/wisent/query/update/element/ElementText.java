package dev.wisent.query.update.element;

import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;

/** A field with its value, as MongoDB's error messages show it: {@code a: 1}. */
public final class ElementText {
  private ElementText() {}

  public static String of(String name, RawValue value) {
    return name + ": " + ValueText.of(value);
  }
}
