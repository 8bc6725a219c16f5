package dev.wisent.simulation.network;

import dev.wisent.simulation.machine.Host;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Bytes on their way to one end of a connection. Threads of a simulation run one at a time, so
 * there is nothing to be guarded.
 */
final class Pipe {
  private final Link link;
  private final Network network;
  private final Host reader;
  private final Deque<byte[]> arrived = new ArrayDeque<>();
  private int offset; // into the first of these
  private long lastArrivalNanos;
  private boolean ending; // nothing more is sent
  private boolean ended; // nothing more comes
  private Thread waiting;

  Pipe(Link link, Network network, Host reader) {
    this.link = link;
    this.network = network;
    this.reader = reader;
  }

  void write(byte[] buffer, int from, int length) throws IOException {
    if (ending) {
      throw new IOException("Broken pipe");
    }
    byte[] bytes = new byte[length];
    System.arraycopy(buffer, from, bytes, 0, length);
    Network.Fate fate = network.fate();
    network.sent(reader == link.server() ? link.client() : link.server(), reader, bytes, fate);
    if (fate != Network.Fate.BREAK_BEFORE) {
      atArrival(network.delay(), () -> arrive(bytes));
    }
    if (fate != Network.Fate.ARRIVE) {
      link.cut(network.delay());
    }
  }

  private void atArrival(long delayNanos, Runnable task) {
    long now = network.machine().nowNanos();
    lastArrivalNanos = Math.max(lastArrivalNanos + 1, now + delayNanos);
    network.machine().after(lastArrivalNanos - now, task);
  }

  private void arrive(byte[] bytes) {
    if (!ended) {
      arrived.add(bytes);
      LockSupport.unpark(waiting);
    }
  }

  /** Nothing more is sent; the reader notices when all before has come. */
  void end(long delayNanos) {
    if (!ending) {
      ending = true;
      atArrival(delayNanos, this::endArrives);
    }
  }

  private void endArrives() {
    ended = true;
    LockSupport.unpark(waiting);
    if (this == link.toServer()) {
      link.serverNoticed();
    }
  }

  /** Closed by its reader: what still comes is dropped. */
  void closeHere() {
    ending = true;
    ended = true;
    arrived.clear();
    LockSupport.unpark(waiting);
  }

  boolean isEnded() {
    return ended;
  }

  /** 0 if nothing is there, -1 at the end. */
  int available() {
    return !arrived.isEmpty() ? arrived.element().length - offset : ended ? -1 : 0;
  }

  /** Waits for bytes; -1 at the end. */
  int read(byte[] target, int at, int length) throws IOException {
    while (arrived.isEmpty() && !ended) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IOException("interrupted");
      }
      waiting = Thread.currentThread();
      LockSupport.park(this);
    }
    waiting = null;
    if (arrived.isEmpty()) {
      return -1;
    }
    byte[] first = arrived.element();
    int count = Math.min(length, first.length - offset);
    System.arraycopy(first, offset, target, at, count);
    offset += count;
    if (offset == first.length) {
      arrived.remove();
      offset = 0;
    }
    return count;
  }

  /** False at the end. */
  boolean readFully(byte[] target, int at, int length) throws IOException {
    for (int have = 0; have < length; ) {
      int count = read(target, at + have, length - have);
      if (count < 0) {
        return false;
      }
      have += count;
    }
    return true;
  }

  @Override
  public String toString() {
    return "bytes for " + reader;
  }
}
