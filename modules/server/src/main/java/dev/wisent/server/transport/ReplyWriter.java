package dev.wisent.server.transport;

import dev.wisent.base.Limits;
import java.io.IOException;

/** Writes replies to the socket in pieces, so that it can be seen how a large one gets on. */
final class ReplyWriter {
  private final SocketStream stream;
  private final LargeTransfer transfer;

  ReplyWriter(SocketStream stream, LargeTransfer transfer) {
    this.stream = stream;
    this.transfer = transfer;
  }

  void write(byte[] buffer, int offset, int length) throws IOException {
    if (length <= Limits.MESSAGE_BYTES_UNCOUNTED_MAX) {
      stream.write(buffer, offset, length);
      return;
    }
    transfer.writing(true);
    try {
      int end = offset + length;
      for (int next = offset; next < end; next += SocketStream.TRANSFER_BYTES_MAX) {
        int count = Math.min(end - next, SocketStream.TRANSFER_BYTES_MAX);
        stream.write(buffer, next, count);
        transfer.moved(count);
      }
    } finally {
      transfer.writing(false);
    }
  }
}
