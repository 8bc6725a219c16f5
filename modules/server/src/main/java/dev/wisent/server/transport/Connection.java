package dev.wisent.server.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One client connection and the loop that serves it. See the package's threading rule: everything
 * not marked otherwise is used by the owner only.
 */
final class Connection implements ConnectionContext, ReplyChannel, Runnable {
  /** A connection that sends this many messages without a pause is worth a thread of its own. */
  private static final int MESSAGES_TO_BE_BUSY = 32;

  /** What the watch may read ahead while a message is handled. */
  private static final int READ_AHEAD_BYTES_MAX = 64 * 1024;

  private static final int PROBE_BYTES = 4 * 1024;
  private static final byte[] NOTHING = {};

  private enum Owner {
    THREAD,
    IDLE_CONNECTIONS
  }

  private final long id;
  private final SocketStream stream;
  private final Connections connections;
  private final FrameAssembler frames = new FrameAssembler();
  private ConnectionHandler handler;
  private boolean dedicated;
  private int messagesSinceParked;

  private final AtomicReference<Owner> owner = new AtomicReference<>(Owner.THREAD);
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean disconnectTold = new AtomicBoolean();

  /** Taken to write, to look for the client's end, and to end the handling of a message. */
  private final ReentrantLock socketLock = new ReentrantLock();

  /**
   * Bytes that follow those in the owner's input buffer. The watch adds to it under {@link
   * #socketLock} while a message is handled; at any other time it is the owner's.
   */
  private byte[] readAhead = NOTHING;

  /**
   * One step at the start and one at the end of each message, so odd while one is handled. Turns
   * even only under {@link #socketLock}.
   */
  private volatile long progress;

  /** The owner's copy of {@link #progress}. */
  private long steps;

  /** What {@link #progress} was when the watch last came by; the watch's alone. */
  private long watchedProgress;

  private volatile boolean clientGone;

  Connection(long id, SocketStream stream, Connections connections) {
    this.id = id;
    this.stream = stream;
    this.connections = connections;
  }

  /** Before the first run. */
  void handler(ConnectionHandler newHandler) throws IOException {
    handler = newHandler;
    stream.readTimeout(connections.idleParkMillis());
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public String remoteAddress() {
    return stream.remoteAddress();
  }

  @Override
  public String localAddress() {
    return stream.localAddress();
  }

  @Override
  public boolean isOpen() {
    return !closed.get() && !clientGone;
  }

  boolean isHandling() {
    return (progress & 1) == 1;
  }

  boolean isParked() {
    return owner.get() == Owner.IDLE_CONNECTIONS;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    stream.close();
    if (isHandling()) {
      tellDisconnected();
    }
    if (owner.compareAndSet(Owner.IDLE_CONNECTIONS, Owner.THREAD)) {
      connections.idle().wakeUp(); // the descriptor is freed when the selector lets go of it
      retire();
    }
  }

  /** The work of an owning worker: until the connection is parked, handed over or closed. */
  @Override
  public void run() {
    try {
      Thread.currentThread().setName("conn" + id);
      if (!serve()) {
        return;
      }
    } catch (MalformedFrameException e) {
      connections.log().malformedMessage(this, e.getMessage());
    } catch (IOException e) {
      // The client broke the connection, or close() did: nothing that a log should say.
    } catch (Throwable e) {
      connections.log().connectionFailed(this, e);
    }
    end();
  }

  /** Returns true at the end of the connection and false when it now has another owner. */
  private boolean serve() throws IOException, MalformedFrameException {
    var in = new InputBuffer();
    takeReadAhead(in);
    while (!closed.get()) {
      byte[] frame = nextFrame(in);
      if (frame == null) {
        return clientGone || !park();
      }
      if (handler.classify(frame) == Execution.WAIT) {
        handOver(frame, in);
        return false;
      }
      handle(frame);
      earnThread();
    }
    return true;
  }

  /** Null when the client has ended, noted in {@link #clientGone}, or stayed silent for long. */
  private byte[] nextFrame(InputBuffer in) throws IOException, MalformedFrameException {
    while (true) {
      byte[] frame = frames.next(in);
      if (frame != null) {
        return frame;
      }
      takeReadAhead(in);
      if (in.remaining() > 0) {
        continue;
      }
      boolean direct = frames.wantsDirectRead();
      int count =
          direct
              ? stream.read(frames.target(), frames.targetOffset())
              : stream.read(in.emptied(), 0);
      if (count <= 0) {
        clientGone = count == SocketStream.END;
        return null;
      }
      if (!direct) {
        in.filled(count);
      } else if ((frame = frames.received(count)) != null) {
        return frame;
      }
    }
  }

  private void handle(byte[] frame) {
    progress = ++steps;
    if (closed.get()) {
      tellDisconnected(); // close() may have come too early to see this message
    }
    try {
      handler.handle(frame, this);
    } finally {
      endHandling();
      // An interrupt meant for the operation must not reach the next read: it would close it.
      Thread.interrupted();
    }
  }

  private void endHandling() {
    socketLock.lock();
    try {
      progress = ++steps;
    } finally {
      socketLock.unlock();
    }
  }

  private void earnThread() throws IOException {
    if (!dedicated && ++messagesSinceParked == MESSAGES_TO_BE_BUSY) {
      dedicated = connections.tryDedicateThread();
      if (dedicated) {
        stream.readTimeout(0);
      }
      messagesSinceParked = 0;
    }
  }

  // Hand-over

  /** Runs the message on a virtual thread, which then is the owner. */
  private void handOver(byte[] frame, InputBuffer in) {
    keep(in);
    connections.startWaiter(
        () -> {
          try {
            handle(frame);
            resume();
          } catch (IOException e) {
            end();
          } catch (Throwable e) {
            connections.log().connectionFailed(this, e);
            end();
          }
        });
  }

  private void resume() throws IOException {
    if (readAhead.length > 0 || clientGone) {
      connections.startWorker(this);
    } else if (!park()) {
      end();
    }
  }

  /** False when the connection was closed meanwhile and the caller is still its owner. */
  private boolean park() throws IOException {
    messagesSinceParked = 0;
    stream.beforeParking();
    owner.set(Owner.IDLE_CONNECTIONS);
    if (closed.get() && owner.compareAndSet(Owner.IDLE_CONNECTIONS, Owner.THREAD)) {
      return false;
    }
    connections.idle().add(this);
    return true;
  }

  /** Called by the idle connections' thread, after {@link #park}. */
  void register(Selector selector) throws IOException {
    stream.park(selector, this);
  }

  /** Whether the caller has become the owner of a parked connection. */
  boolean claim() {
    return owner.compareAndSet(Owner.IDLE_CONNECTIONS, Owner.THREAD);
  }

  /** Gives a claimed connection, whose selection key is gone, to a worker. */
  void wakeUp() {
    try {
      stream.afterParking();
      connections.startWorker(this);
    } catch (IOException e) {
      end();
    } catch (Throwable e) {
      connections.log().connectionFailed(this, e);
      end();
    }
  }

  /** The owner gives the connection up for good. */
  void end() {
    closed.set(true);
    stream.close();
    retire();
  }

  private void retire() {
    if (dedicated) {
      connections.releaseDedicatedThread();
    }
    try {
      if (handler != null) {
        handler.closed();
      }
    } catch (Throwable e) {
      connections.log().connectionFailed(this, e);
    } finally {
      connections.remove(this);
    }
  }

  // Output

  @Override
  public void write(byte[] buffer, int offset, int length) {
    socketLock.lock();
    try {
      stream.write(buffer, offset, length);
    } catch (IOException e) {
      closed.set(true);
      stream.close();
    } finally {
      socketLock.unlock();
    }
  }

  // Read-ahead, and the client's end while a message is handled

  private void keep(InputBuffer in) {
    if (in.remaining() > 0) {
      readAhead = in.takeAll();
    }
  }

  private void takeReadAhead(InputBuffer in) {
    if (readAhead.length > 0) {
      in.replace(readAhead);
      readAhead = NOTHING;
    }
  }

  /** Called by the watch from time to time. */
  void watch() {
    long seen = progress;
    if (seen != watchedProgress) {
      watchedProgress = seen;
    } else if ((seen & 1) == 1 && isOpen()) {
      lookForClientsEnd(seen);
    }
  }

  /**
   * The only portable way to see the client's end is to read up to it, so what else has arrived is
   * kept, up to a bound.
   */
  private void lookForClientsEnd(long seen) {
    if (!socketLock.tryLock()) {
      return; // a reply is being written, which notices by itself
    }
    try {
      if (progress != seen || readAhead.length >= READ_AHEAD_BYTES_MAX) {
        return;
      }
      var buffer = ByteBuffer.allocate(PROBE_BYTES);
      int count = stream.readAvailable(buffer);
      if (count > 0) {
        int kept = readAhead.length;
        readAhead = Arrays.copyOf(readAhead, kept + count);
        buffer.flip().get(readAhead, kept, count);
      }
      clientGone = count == SocketStream.END;
    } catch (IOException e) {
      clientGone = true;
    } finally {
      socketLock.unlock();
    }
    if (clientGone) {
      tellDisconnected();
    }
  }

  private void tellDisconnected() {
    if (disconnectTold.compareAndSet(false, true)) {
      try {
        handler.disconnected();
      } catch (Throwable e) {
        connections.log().connectionFailed(this, e);
      }
    }
  }
}
