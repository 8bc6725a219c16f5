package dev.wisent.server.transport;

import dev.wisent.base.Limits;
import java.io.IOException;

/**
 * Reads the messages of one connection. A large one is read only once there is memory for it. For
 * the owner of the connection, except for {@link #readAhead}.
 */
final class MessageReader {
  /** What reading has come to. */
  enum Outcome {
    /** A message is there: {@link #takeMessage}. */
    MESSAGE,
    /** Nothing has arrived for a while. */
    SILENCE,
    /** The next message has to wait for memory: {@link #bytesNeeded}. */
    NO_MEMORY,
    /** The client has ended. */
    END
  }

  private final SocketStream stream;
  private final InputMemory memory;
  private final LargeTransfer transfer;
  private final FrameAssembler frames = new FrameAssembler();
  private final ReadAhead readAhead = new ReadAhead();
  private ConnectionHandler handler;
  private InputBuffer in;
  private byte[] message;
  private boolean anyMessage;

  MessageReader(SocketStream stream, InputMemory memory, LargeTransfer transfer) {
    this.stream = stream;
    this.memory = memory;
    this.transfer = transfer;
  }

  void handler(ConnectionHandler newHandler) {
    handler = newHandler;
    frames.bytesMax(newHandler::messageBytesMax);
  }

  ReadAhead readAhead() {
    return readAhead;
  }

  /** A thread begins to read. */
  void begin() {
    in = new InputBuffer();
    readAhead.moveTo(in);
  }

  /** The thread stops to read; what has arrived is kept. */
  void pause() {
    if (in != null) {
      readAhead.keep(in);
      in = null;
    }
    stream.pause();
  }

  Outcome next() throws IOException, MalformedFrameException {
    try {
      while (message == null) {
        if (frames.needsMemory()) {
          if (!takeMemory(frames.partial(), frames.length())) {
            return Outcome.NO_MEMORY;
          }
          frames.memoryTaken();
        }
        Outcome outcome = readMore();
        if (outcome != Outcome.MESSAGE) {
          return outcome;
        }
      }
    } catch (MalformedFrameException e) {
      throw anyMessage ? e : e.recognised();
    }
    anyMessage = true;
    // A large message has taken its memory before it was read; a small one may need some yet.
    boolean ready = memory.held() > 0 || takeMemory(message, message.length);
    return ready ? Outcome.MESSAGE : Outcome.NO_MEMORY;
  }

  /** Something other than {@link Outcome#MESSAGE} if there is nothing more to read. */
  private Outcome readMore() throws IOException, MalformedFrameException {
    if (in.remaining() == 0) {
      readAhead.moveTo(in);
    }
    message = frames.next(in);
    if (message != null || in.remaining() > 0 || frames.needsMemory()) {
      return Outcome.MESSAGE;
    }
    boolean direct = frames.wantsDirectRead();
    int count =
        direct ? stream.read(frames.target(), frames.targetOffset()) : stream.read(in.emptied(), 0);
    if (count <= 0) {
      return count == SocketStream.END ? Outcome.END : Outcome.SILENCE;
    }
    if (direct) {
      transfer.moved(count);
      message = frames.received(count);
    } else {
      in.filled(count);
    }
    return Outcome.MESSAGE;
  }

  /** Takes the memory of a message that begins so; false if it has to wait. */
  private boolean takeMemory(byte[] start, int length) throws MalformedFrameException {
    long bytes = handler.bytesNeeded(start, length);
    if (bytes <= Limits.MESSAGE_BYTES_UNCOUNTED_MAX) {
      return true;
    }
    if (!anyMessage && ForeignProtocol.isTls(start)) {
      throw new MalformedFrameException(ForeignProtocol.TLS);
    }
    return memory.tryTake(bytes);
  }

  /** What the message that waits needs. */
  long bytesNeeded() {
    return message == null
        ? handler.bytesNeeded(frames.partial(), frames.length())
        : handler.bytesNeeded(message, message.length);
  }

  /** The message that waited has its memory. */
  void memoryTaken() {
    if (message == null) {
      frames.memoryTaken();
    }
  }

  /** How much of a message that has not arrived completely is there; 0 between messages. */
  int partialBytes() {
    return frames.partial() == null ? 0 : frames.partial().length;
  }

  byte[] takeMessage() {
    byte[] taken = message;
    message = null;
    return taken;
  }
}
