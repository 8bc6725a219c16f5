package dev.wisent.tools.files;

import dev.wisent.tools.command.Interruption;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The bytes of a file on their way, which the user may end in between. */
final class Transfer {
  private final Interruption interruption;

  Transfer(Interruption interruption) {
    this.interruption = interruption;
  }

  private void check() throws IOException {
    if (interruption.isRequested()) {
      throw new IOException("interrupted");
    }
  }

  InputStream from(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        check();
        return in.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        check();
        return in.read(bytes, offset, length);
      }
    };
  }

  OutputStream to(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        check();
        out.write(bytes, offset, length);
      }
    };
  }
}
