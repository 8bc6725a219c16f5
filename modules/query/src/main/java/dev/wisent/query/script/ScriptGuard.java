package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import java.util.function.Supplier;

/** Looks after running scripts, from outside. */
@FunctionalInterface
public interface ScriptGuard {
  /**
   * Watches the script that the calling thread is about to run.
   *
   * @param stopReason asked again and again, on another thread, for why the script should end; null
   *     as long as it should not
   * @param stop ends the script
   */
  Watch watch(Supplier<CommandException> stopReason, Runnable stop);

  /** One call under watch. After {@link #close}, the script is not stopped any more. */
  interface Watch extends AutoCloseable {
    /** Why the script was stopped, or null where it was not. To be asked after the close. */
    CommandException stopped();

    @Override
    void close();
  }
}
