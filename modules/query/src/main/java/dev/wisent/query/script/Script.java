package dev.wisent.query.script;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** A function of a user, compiled. May be called by several threads at a time. */
public interface Script {
  /** Calls the function with a document as {@code this} and {@code obj}; whether it says yes. */
  boolean test(RawDocument document);

  /**
   * Calls the function with arguments.
   *
   * @return null where it returns undefined
   */
  RawValue call(List<RawValue> arguments);
}
