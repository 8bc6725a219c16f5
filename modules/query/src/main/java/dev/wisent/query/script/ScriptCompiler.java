package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** Makes scripts for one operation, which may end them. */
@FunctionalInterface
public interface ScriptCompiler {
  /** Of a server that runs no functions. */
  ScriptCompiler NONE =
      code -> {
        throw new CommandException(
            ErrorCode.WHERE_WITHOUT_SCRIPTING, "no globalScriptEngine in $where parsing");
      };

  /**
   * Compiles a function, or an expression or statements that are the body of one. Errors in it are
   * a {@link CommandException}.
   */
  Script compile(String code);
}
