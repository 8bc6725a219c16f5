package dev.wisent.tools.command;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * What a tool knows of the process that it runs in.
 *
 * @param out for lines; {@link #data} is for everything that must be complete
 * @param terminal whether standard error is one, so that a line may be written over
 * @param columns how wide it is
 * @param password asks for one; null where there is no terminal to ask on
 * @param version of these tools, which dumps carry
 */
public record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    int columns,
    Clock clock,
    Scheduler scheduler,
    Interruption interruption,
    Supplier<char[]> password,
    String version) {
  /** Standard output, which throws what goes wrong; to be written to in blocks. */
  public OutputStream data() {
    return new CheckedOutput(out);
  }

  /** Fails if standard output has not taken all lines so far. */
  public void checkOutput() throws ToolException {
    try {
      data().flush();
    } catch (IOException e) {
      throw ToolException.failed(e.getMessage(), e);
    }
  }
}
