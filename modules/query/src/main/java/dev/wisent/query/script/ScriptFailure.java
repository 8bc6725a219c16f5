package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;

/** A script did not come to its end. */
final class ScriptFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient RuntimeException error;
  private final boolean contextIsUsable;

  private ScriptFailure(RuntimeException error, boolean contextIsUsable) {
    super(error);
    this.error = error;
    this.contextIsUsable = contextIsUsable;
  }

  static ScriptFailure of(PolyglotException e) {
    if (e.isHostException() && e.asHostException() instanceof CommandException ours) {
      return new ScriptFailure(ours, true);
    }
    boolean usable = e.isGuestException() && !e.isCancelled() && !e.isExit();
    return new ScriptFailure(
        new CommandException(ErrorCode.JS_INTERPRETER_FAILURE, text(e)), usable);
  }

  /** A value that functions cannot be given or cannot give back. */
  static ScriptFailure of(CommandException e) {
    return new ScriptFailure(e, true);
  }

  /** The context went away under the script. */
  static ScriptFailure closed() {
    return new ScriptFailure(
        new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted"), false);
  }

  private static String text(PolyglotException e) {
    if (e.isResourceExhausted()) {
      return "InternalError: too much recursion, or out of memory";
    }
    if (e.isCancelled()) {
      return "Interrupted by the host";
    }
    SourceSection place = e.getSourceLocation();
    String where =
        place == null ? "" : " :\n@:" + place.getStartLine() + ":" + place.getStartColumn();
    return e.getMessage() + where;
  }

  RuntimeException error() {
    return error;
  }

  boolean contextIsUsable() {
    return contextIsUsable;
  }
}
