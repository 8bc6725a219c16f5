package dev.wisent.tools.dump;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The documents of one collection on standard output. */
final class StreamTarget implements DumpTarget {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final boolean gzip;

  StreamTarget(OutputStream out, boolean gzip) {
    this.out = out;
    this.gzip = gzip;
  }

  @Override
  public void metadata(SourceCollection collection) {}

  @Override
  public OutputStream open(SourceCollection collection) throws IOException {
    return new BufferedOutputStream(gzip ? new Gzip(out) : out, BUFFER_BYTES);
  }

  @Override
  public void abandon(SourceCollection collection, OutputStream stream) throws IOException {
    stream.flush();
  }

  /** The end of the stream says so. */
  @Override
  public void complete() {}

  @Override
  public String describe(SourceCollection collection) {
    return "standard output";
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
