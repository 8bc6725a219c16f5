package dev.wisent.server.transport;

import dev.wisent.server.transport.SocketStream.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * Encrypts what one socket sends and decrypts what it receives. It never waits by itself: where the
 * socket has no more bytes it returns and goes on at the next call, in a handshake too. So a client
 * that is slow to shake hands is parked like one that is slow to ask.
 *
 * <p>Used like {@link SocketStream}: by the owner of the connection, or by the watch while the
 * owner handles a message.
 */
final class TlsLayer {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int RECORDS_AT_ONCE = 4;

  /** What a handshake has come to. */
  interface Handshake {
    /** Keys are agreed, and certificates were verified. */
    void done(SSLEngine engine);

    /** Encrypted bytes go to the client. */
    void send(byte[] bytes, int offset, int length) throws IOException;
  }

  private final SSLEngine engine;
  private final Handshake handshake;
  private final int recordBytesMax;
  private final int contentBytesMax;
  private boolean done;
  private boolean failed;

  /** Encrypted, in the state to be taken from. */
  private ByteBuffer received = NOTHING;

  /** Decrypted and not taken yet. */
  private ByteBuffer content = NOTHING;

  /** Encrypted, to be sent; between calls it is empty. Null if there is none. */
  private ByteBuffer outgoing;

  /**
   * @param first what the client has sent already
   */
  TlsLayer(SSLEngine engine, Handshake handshake, byte[] first) throws IOException {
    this.engine = engine;
    this.handshake = handshake;
    this.received = ByteBuffer.wrap(first);
    this.recordBytesMax = engine.getSession().getPacketBufferSize();
    this.contentBytesMax = engine.getSession().getApplicationBufferSize();
    engine.beginHandshake();
  }

  boolean isDone() {
    return done;
  }

  /**
   * What has arrived and was not taken; a socket that is silent does not mean that it is nothing.
   */
  int keptBytes() {
    return received.remaining() + content.remaining();
  }

  /** Gives buffers back as far as nothing is in them. */
  void pause() {
    received = shrunk(received);
    content = shrunk(content);
    outgoing = null;
  }

  private static ByteBuffer shrunk(ByteBuffer buffer) {
    if (!buffer.hasRemaining()) {
      return NOTHING;
    }
    byte[] rest = new byte[buffer.remaining()];
    buffer.get(rest);
    return ByteBuffer.wrap(rest);
  }

  /**
   * Decrypts what there is.
   *
   * @param mayAnswer whether bytes of TLS's own may be sent
   * @return how much, or what the source says if it has no more
   */
  int read(ByteBuffer target, Source source, boolean mayAnswer) throws IOException {
    try {
      while (true) {
        if (content.hasRemaining()) {
          return move(content, target);
        }
        int count = unwrap(target, mayAnswer);
        if (count != 0) {
          return count;
        }
        count = engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP ? 0 : fill(source);
        if (count <= 0) {
          return count;
        }
      }
    } catch (SSLException e) {
      failed = true;
      if (mayAnswer) {
        sendAlert();
      }
      throw done ? e : new HandshakeException(e);
    }
  }

  private static int move(ByteBuffer from, ByteBuffer to) {
    int count = Math.min(from.remaining(), to.remaining());
    to.put(from.slice(from.position(), count));
    from.position(from.position() + count);
    return count;
  }

  /** 0 if more has to be received, or to be sent and that may not be done now. */
  private int unwrap(ByteBuffer target, boolean mayAnswer) throws IOException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> {
          if (!mayAnswer) {
            return 0;
          }
          wrap(NOTHING);
          flush();
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING, FINISHED -> {
          if (!received.hasRemaining()) {
            return 0;
          }
          boolean direct = target.remaining() >= contentBytesMax;
          ByteBuffer into = direct ? target : emptied();
          SSLEngineResult result = engine.unwrap(received, into);
          if (!direct) {
            content = into.flip();
          }
          noteDone(result);
          if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            return SocketStream.END;
          }
          if (result.bytesProduced() > 0) {
            return direct ? result.bytesProduced() : move(content, target);
          }
          if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW
              || (result.bytesConsumed() == 0
                  && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING)) {
            return 0;
          }
        }
      }
    }
  }

  private ByteBuffer emptied() {
    return content.capacity() >= contentBytesMax
        ? content.clear()
        : ByteBuffer.allocate(contentBytesMax);
  }

  private int fill(Source source) throws IOException {
    if (received.capacity() < recordBytesMax) {
      received = ByteBuffer.allocate(recordBytesMax).put(received);
    } else {
      received.compact();
    }
    try {
      int count = source.read(received.array(), received.position(), received.remaining());
      received.position(received.position() + Math.max(0, count));
      return count;
    } finally {
      received.flip();
    }
  }

  /** A client that begins another handshake, as old versions allow, only wants to keep us busy. */
  private void runTasks() throws SSLException {
    if (done) {
      throw new SSLException("a second handshake on one connection");
    }
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
  }

  private void noteDone(SSLEngineResult result) {
    // An engine that fails or is closed does not shake hands either.
    if (!done
        && !failed
        && result.getStatus() == SSLEngineResult.Status.OK
        && (result.getHandshakeStatus() == HandshakeStatus.FINISHED
            || engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING)) {
      done = true;
      handshake.done(engine);
    }
  }

  /** Encrypts and sends. */
  void write(byte[] source, int offset, int length) throws IOException {
    ByteBuffer from = ByteBuffer.wrap(source, offset, length);
    while (from.hasRemaining()) {
      if (wrap(from) == 0) {
        throw new SSLException("the connection is closed, or shakes hands");
      }
      if (outgoing.remaining() < recordBytesMax) {
        flush();
      }
    }
    flush();
  }

  private int wrap(ByteBuffer from) throws IOException {
    if (outgoing == null || (from.remaining() > contentBytesMax && outgoing.position() == 0)) {
      int records = from.remaining() > contentBytesMax ? RECORDS_AT_ONCE : 1;
      if (outgoing == null || outgoing.capacity() < records * recordBytesMax) {
        outgoing = ByteBuffer.allocate(records * recordBytesMax);
      }
    }
    SSLEngineResult result = engine.wrap(from, outgoing);
    noteDone(result);
    return result.bytesConsumed() + result.bytesProduced();
  }

  private void flush() throws IOException {
    if (outgoing != null && outgoing.position() > 0) {
      handshake.send(outgoing.array(), 0, outgoing.position());
      outgoing.clear();
    }
  }

  /** The other side learns what it did wrong. */
  private void sendAlert() {
    try {
      outgoing = null;
      if (!engine.isOutboundDone()) {
        wrap(NOTHING);
        flush();
      }
    } catch (IOException e) {
      // The connection ends in any case.
    }
  }

  /** A handshake has failed. */
  static final class HandshakeException extends IOException {
    private static final long serialVersionUID = 1;

    HandshakeException(SSLException cause) {
      super(cause.getMessage(), cause);
    }

    HandshakeException(String message) {
      super(message);
    }
  }
}
