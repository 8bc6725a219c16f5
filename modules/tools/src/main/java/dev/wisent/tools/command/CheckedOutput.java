package dev.wisent.tools.command;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output for data. A {@link PrintStream} keeps failures to itself, and what it was given
 * after a failure is lost; this stream throws. Closing it leaves the print stream open.
 */
final class CheckedOutput extends OutputStream {
  private final PrintStream out;

  CheckedOutput(PrintStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    out.write(b);
    check();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    check();
  }

  @Override
  public void flush() throws IOException {
    check();
  }

  @Override
  public void close() throws IOException {
    check();
  }

  /** Also flushes. */
  private void check() throws IOException {
    if (out.checkError()) {
      throw new IOException("standard output takes no more: no space, or its reader has ended");
    }
  }
}
