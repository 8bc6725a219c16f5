package dev.wisent.server.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Where the lines of an audit log go. Used by one thread at a time. */
public interface AuditSink extends AutoCloseable {
  /** Writes a line as a whole, or nothing of it. */
  void write(String line) throws IOException;

  /** Whether the last write worked and the one before it did not. */
  boolean recovered();

  /** Starts a new file; returns where the lines so far are, if this is a file. */
  Optional<Path> rotate() throws IOException;

  @Override
  void close();

  /** The console. It is not closed. */
  static AuditSink console(OutputStream out) {
    return new AuditSink() {
      @Override
      public void write(String line) throws IOException {
        out.write((line + '\n').getBytes(StandardCharsets.UTF_8));
        out.flush();
      }

      @Override
      public boolean recovered() {
        return false;
      }

      @Override
      public Optional<Path> rotate() {
        return Optional.empty();
      }

      @Override
      public void close() {}
    };
  }
}
