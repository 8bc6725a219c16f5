package dev.wisent.server.transport;

import dev.wisent.base.Clock;
import dev.wisent.security.tls.TlsState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The TLS handshakes of all clients. There are at most so many, for each needs memory: the oldest
 * one gives way to a new one. One that takes long is ended. Thread-safe.
 */
final class Handshakes {
  private final TlsState tls;
  private final Clock clock;
  private final int countMax;
  private final long nanosMax;

  /** When they began, the oldest first. Guarded by this. */
  private final Map<SocketStream, Long> running = new LinkedHashMap<>();

  Handshakes(TlsState tls, Clock clock, int countMax, int millisMax) {
    this.tls = tls;
    this.clock = clock;
    this.countMax = countMax;
    this.nanosMax = TimeUnit.MILLISECONDS.toNanos(millisMax);
  }

  TlsState tls() {
    return tls;
  }

  void begin(SocketStream stream) {
    SocketStream oldest = null;
    synchronized (this) {
      if (running.size() >= countMax) {
        oldest = running.keySet().iterator().next();
        running.remove(oldest);
      }
      running.put(stream, clock.monotonicNanos());
    }
    if (oldest != null) {
      oldest.handshakeOverdue();
    }
  }

  synchronized void end(SocketStream stream) {
    running.remove(stream);
  }

  synchronized int count() {
    return running.size();
  }

  /** Ends those that take too long. */
  void endOverdue() {
    List<SocketStream> overdue = new ArrayList<>();
    long now = clock.monotonicNanos();
    synchronized (this) {
      for (Map.Entry<SocketStream, Long> each : running.entrySet()) {
        if (now - each.getValue() < nanosMax) {
          break;
        }
        overdue.add(each.getKey());
      }
      overdue.forEach(running::remove);
    }
    overdue.forEach(SocketStream::handshakeOverdue);
  }
}
