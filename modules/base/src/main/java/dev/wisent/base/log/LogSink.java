package dev.wisent.base.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Where lines go. Implementations are thread-safe and never throw for a line they cannot write. */
public interface LogSink extends AutoCloseable {
  /** Writes one line; the line break is the sink's. */
  void write(String line);

  /**
   * Starts a new file, as the {@code logRotate} command and SIGUSR1 ask for.
   *
   * @return where the lines so far are now; empty when the sink is not a file
   */
  default Optional<Path> rotate() throws IOException {
    return Optional.empty();
  }

  @Override
  default void close() {}

  /** Drops every line. */
  static LogSink silent() {
    return line -> {};
  }
}
