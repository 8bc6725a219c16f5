package dev.wisent.server.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes of a connection that have arrived and follow those in its owner's input buffer. */
final class ReadAhead {
  /** What may be read ahead while a message is handled. */
  private static final int BYTES_MAX = 64 * 1024;

  private static final int PROBE_BYTES = 4 * 1024;
  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;

  boolean isEmpty() {
    return bytes.length == 0;
  }

  /** Keeps what an input buffer still has, which comes before what is here. */
  void keep(InputBuffer in) {
    if (in.remaining() > 0) {
      byte[] first = in.takeAll();
      int count = first.length;
      first = Arrays.copyOf(first, count + bytes.length);
      System.arraycopy(bytes, 0, first, count, bytes.length);
      bytes = first;
    }
  }

  /** Has an input buffer, which is empty, go on with these bytes. */
  void moveTo(InputBuffer in) {
    if (bytes.length > 0) {
      in.replace(bytes);
      bytes = NOTHING;
    }
  }

  /**
   * Whether the client has ended. The only portable way to see that is to read up to it, so what
   * else has arrived is kept, up to a bound.
   */
  boolean isAtEnd(SocketStream stream) {
    if (bytes.length >= BYTES_MAX) {
      return false;
    }
    try {
      var buffer = ByteBuffer.allocate(PROBE_BYTES);
      int count = stream.readAvailable(buffer);
      if (count > 0) {
        int kept = bytes.length;
        bytes = Arrays.copyOf(bytes, kept + count);
        buffer.flip().get(bytes, kept, count);
      }
      return count == SocketStream.END;
    } catch (IOException e) {
      return true;
    }
  }
}
