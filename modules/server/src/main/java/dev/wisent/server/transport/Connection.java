package dev.wisent.server.transport;

import dev.wisent.server.transport.TlsLayer.HandshakeException;
import java.io.IOException;
import java.nio.channels.Selector;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One client connection and the loop that serves it. See the package's threading rule: everything
 * not marked otherwise is used by the owner only.
 */
final class Connection implements ConnectionContext, ReplyChannel, Runnable {
  private enum Owner {
    THREAD,
    IDLE_CONNECTIONS,
    MEMORY_QUEUE
  }

  private final long id;
  private final SocketStream stream;
  private final Connections connections;
  private final boolean reserved;
  private final InputMemory memory;
  private final LargeTransfer transfer = new LargeTransfer();
  private final MessageReader reader;
  private final ReplyWriter writer;
  private final DedicatedThread dedicated;
  private ConnectionHandler handler;
  private boolean onReserveThread;

  private final AtomicReference<Owner> owner = new AtomicReference<>(Owner.THREAD);
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean disconnectTold = new AtomicBoolean();

  /** Taken to write, to look for the client's end, and to end the handling of a message. */
  private final ReentrantLock socketLock = new ReentrantLock();

  /** A message ends only under {@link #socketLock}. */
  private final MessageProgress progress = new MessageProgress();

  private volatile boolean clientGone;

  Connection(long id, SocketStream stream, Connections connections, boolean reserved) {
    this.id = id;
    this.stream = stream;
    this.connections = connections;
    this.reserved = reserved;
    this.memory = new InputMemory(connections.memory());
    this.reader = new MessageReader(stream, memory, transfer);
    this.writer = new ReplyWriter(stream, transfer);
    this.dedicated = new DedicatedThread(connections);
    stream.whenOverdue(() -> connections.overdue(this));
  }

  /** Before the first run. */
  void handler(ConnectionHandler newHandler) throws IOException {
    handler = newHandler;
    reader.handler(newHandler);
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
  public Optional<String> tlsProtocol() {
    return stream.tlsProtocol();
  }

  @Override
  public Optional<X509Certificate> peerCertificate() {
    return stream.peerCertificate();
  }

  @Override
  public boolean isOpen() {
    return !closed.get() && !clientGone;
  }

  @Override
  public boolean isReserved() {
    return reserved || onReserveThread;
  }

  @Override
  public void administered() {
    connections.administered(this);
  }

  boolean isHandling() {
    return progress.isHandling();
  }

  boolean isParked() {
    return owner.get() != Owner.THREAD;
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
    } else if (owner.compareAndSet(Owner.MEMORY_QUEUE, Owner.THREAD)) {
      memory.giveUpClaim();
      retire();
    }
  }

  /** The work of an owning worker: until the connection is parked, handed over or closed. */
  @Override
  public void run() {
    serve(false);
  }

  /** As {@link #run}, on a thread that is kept for when there is no other one. */
  void runOnReserve() {
    serve(true);
  }

  private void serve(boolean onReserve) {
    connections.memory().threadStarted();
    try {
      onReserveThread = onReserve;
      Thread.currentThread().setName("conn" + id);
      if (!serve()) {
        return;
      }
    } catch (MalformedFrameException e) {
      connections.refuse(this, e);
    } catch (HandshakeException e) {
      connections.log().handshakeFailed(this, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      // The client broke the connection, or close() did: nothing that a log should say.
    } catch (Throwable e) {
      connections.log().connectionFailed(this, e);
    } finally {
      connections.memory().threadEnded();
    }
    end();
  }

  /** Returns true at the end of the connection and false when it now has another owner. */
  private boolean serve() throws IOException, MalformedFrameException {
    reader.begin();
    while (!closed.get()) {
      switch (reader.next()) {
        case MESSAGE -> {
          if (!serveMessage(reader.takeMessage())) {
            return false;
          }
        }
        case SILENCE -> {
          return !park();
        }
        case NO_MEMORY -> {
          return !awaitMemory();
        }
        case END -> {
          clientGone = true;
          return true;
        }
      }
    }
    return true;
  }

  /** False when the connection now has another owner. */
  private boolean serveMessage(byte[] frame) throws IOException {
    if (handler.classify(frame) == Execution.WAIT) {
      handOver(frame);
      return false;
    }
    handle(frame);
    earnThread();
    return true;
  }

  private void handle(byte[] frame) {
    progress.begin();
    if (closed.get()) {
      tellDisconnected(); // close() may have come too early to see this message
    }
    try {
      handler.handle(frame, this);
    } finally {
      progress.end(socketLock);
      memory.release();
      // An interrupt meant for the operation must not reach the next read: it would close it.
      Thread.interrupted();
    }
  }

  private void earnThread() throws IOException {
    if (!onReserveThread && dedicated.earns()) {
      stream.readTimeout(0);
    }
  }

  /** Runs the message on a virtual thread, which then is the owner. */
  private void handOver(byte[] frame) {
    reader.pause();
    connections.startWaiter(
        () ->
            runOrEnd(
                () -> {
                  handle(frame);
                  resume();
                }));
  }

  private void resume() throws IOException {
    if (!reader.readAhead().isEmpty() || stream.keptBytes() > 0 || clientGone) {
      connections.startWorker(this);
    } else if (!park()) {
      end();
    }
  }

  /** False when the connection is to be ended, and the caller is still its owner. */
  private boolean park() throws IOException {
    dedicated.pause();
    reader.pause();
    handler.parked();
    int partialBytes = reader.partialBytes() + stream.keptBytes();
    if (partialBytes == 0) {
      memory.release(); // taken for the beginning of a handshake, say
    } else if (!memory.tryTakeReserve(partialBytes)) {
      connections.slow(this, transfer.moved());
      return false;
    }
    stream.beforeParking();
    if (!changeOwner(Owner.IDLE_CONNECTIONS)) {
      return false;
    }
    connections.idle().add(this);
    return true;
  }

  /** As {@link #park}, until there is memory for the next message. */
  private boolean awaitMemory() {
    reader.pause();
    handler.parked();
    memory.claim(reader.bytesNeeded(), this::memoryGranted);
    if (!changeOwner(Owner.MEMORY_QUEUE)) {
      return false;
    }
    memory.enqueueClaim();
    return true;
  }

  private void memoryGranted() {
    if (owner.compareAndSet(Owner.MEMORY_QUEUE, Owner.THREAD)) {
      memory.claimGranted();
      reader.memoryTaken();
      runOrEnd(() -> connections.startWorker(this));
    } else {
      memory.returnGranted();
    }
  }

  private boolean changeOwner(Owner next) {
    owner.set(next);
    return !closed.get() || !owner.compareAndSet(next, Owner.THREAD);
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
    runOrEnd(
        () -> {
          stream.afterParking();
          connections.startWorker(this);
        });
  }

  private interface SocketWork {
    void run() throws IOException;
  }

  private void runOrEnd(SocketWork work) {
    try {
      work.run();
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
    memory.release();
    dedicated.release();
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

  @Override
  public void write(byte[] buffer, int offset, int length) {
    socketLock.lock();
    try {
      writer.write(buffer, offset, length);
    } catch (IOException e) {
      closed.set(true);
      stream.close();
    } finally {
      socketLock.unlock();
    }
  }

  /**
   * Called by the watch from time to time.
   *
   * @param memoryWanted whether others wait for memory
   * @param slowLooksMax how often the client of a large message may be found too slow
   */
  void watch(boolean memoryWanted, int slowLooksMax) {
    boolean receiving = memory.held() > 0 && !isHandling();
    boolean tooSlow = transfer.isTooSlow(memoryWanted, receiving, slowLooksMax);
    boolean handlingStill = progress.isHandlingStill();
    if (tooSlow && isOpen()) {
      connections.slow(this, transfer.moved());
      close();
    } else if (handlingStill && isOpen()) {
      lookForClientsEnd();
    }
  }

  private void lookForClientsEnd() {
    if (!socketLock.tryLock()) {
      return; // a reply is being written, which notices by itself
    }
    try {
      if (progress.isUnchanged()) {
        clientGone = reader.readAhead().isAtEnd(stream);
      }
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
