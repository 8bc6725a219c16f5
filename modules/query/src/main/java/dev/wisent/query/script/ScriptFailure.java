package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;

/** A script did not come to its end. */
final class ScriptFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int FRAMES_MAX = 20;

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
    String stack = stack(e);
    return stack.isEmpty() ? e.getMessage() : e.getMessage() + " :\n" + stack;
  }

  /** The calls of the user's functions, the innermost first, each with its line and column. */
  private static String stack(PolyglotException e) {
    var out = new StringBuilder();
    int frames = 0;
    for (PolyglotException.StackFrame frame : e.getPolyglotStackTrace()) {
      SourceSection place = frame.isGuestFrame() ? frame.getSourceLocation() : null;
      if (place == null || !FunctionSource.isOfUser(frame.getRootName(), place)) {
        continue;
      }
      if (++frames > FRAMES_MAX) {
        break;
      }
      out.append(FunctionSource.nameOf(frame.getRootName()))
          .append("@:")
          .append(FunctionSource.lineOf(place))
          .append(':')
          .append(place.getStartColumn())
          .append('\n');
    }
    return out.toString();
  }

  RuntimeException error() {
    return error;
  }

  boolean contextIsUsable() {
    return contextIsUsable;
  }
}
