package dev.wisent.query.cases;

import dev.wisent.base.CommandException;
import dev.wisent.query.script.ScriptCompiler;
import dev.wisent.query.script.ScriptEngine;
import dev.wisent.query.script.ScriptGuard;
import dev.wisent.query.script.ScriptSession;
import java.util.function.Supplier;

/** JavaScript for cases, which are short enough to need no watch. */
public final class CaseScripts {
  private static final ScriptEngine ENGINE = new ScriptEngine(CaseScripts::unwatched, "8.0.0");

  /** Compiles with an engine that starts with the first function. */
  public static final ScriptCompiler COMPILER =
      code -> ENGINE.compile(code, new ScriptSession(() -> null));

  private CaseScripts() {}

  private static ScriptGuard.Watch unwatched(Supplier<CommandException> reason, Runnable stop) {
    return new ScriptGuard.Watch() {
      @Override
      public CommandException stopped() {
        return null;
      }

      @Override
      public void close() {}
    };
  }
}
