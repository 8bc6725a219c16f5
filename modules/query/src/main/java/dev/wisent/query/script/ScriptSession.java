package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the functions of one query have in common. They share global variables, as far as their
 * calls take place in the same context, and see the functions that the database stores.
 */
public final class ScriptSession {
  private final Supplier<CommandException> stopReason;
  private final Supplier<List<RawDocument>> stored;

  /** What was read of {@link #stored}; null before. */
  private volatile List<RawDocument> storedOnce;

  /**
   * @param stopReason why calls should end; null as long as they should not
   * @param stored the documents of {@code system.js}, read with the first call
   */
  public ScriptSession(Supplier<CommandException> stopReason, Supplier<List<RawDocument>> stored) {
    this.stopReason = stopReason;
    this.stored = stored;
  }

  /** Without stored functions. */
  public ScriptSession(Supplier<CommandException> stopReason) {
    this(stopReason, List::of);
  }

  Supplier<CommandException> stopReason() {
    return stopReason;
  }

  List<RawDocument> stored() {
    List<RawDocument> known = storedOnce;
    if (known == null) {
      known = stored.get();
      storedOnce = known;
    }
    return known;
  }
}
