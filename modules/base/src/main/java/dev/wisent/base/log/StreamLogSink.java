package dev.wisent.base.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes lines to a stream that it does not own, standard output as a rule. */
public final class StreamLogSink implements LogSink {
  private final OutputStream out;

  /** A sink that writes to {@code out} and never closes it. */
  public StreamLogSink(OutputStream out) {
    this.out = out;
  }

  /** The process's standard output, without the buffers and encoders of {@code System.out}. */
  public static StreamLogSink standardOutput() {
    return new StreamLogSink(new FileOutputStream(FileDescriptor.out));
  }

  @Override
  public void write(String line) {
    byte[] bytes = (line + '\n').getBytes(StandardCharsets.UTF_8);
    try {
      synchronized (this) {
        out.write(bytes);
        out.flush();
      }
    } catch (IOException e) {
      // The reader of our output went away (a closed pipe). The server's work does not depend on
      // it, and there is no place left to say so.
    }
  }
}
