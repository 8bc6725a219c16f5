package dev.wisent.server.transport;

import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import java.time.Duration;

/**
 * Looks at the connections whose message has been running since the last round, so that an
 * operation can end when its client has gone. Costs the messages themselves nothing.
 */
final class DisconnectWatch {
  static final Duration PERIOD = Duration.ofMillis(500);

  private DisconnectWatch() {}

  static BackgroundLoop loop(Connections connections, BackgroundLoops loops) {
    return loops.every(PERIOD, "conn-disconnect-watch", connections::watch);
  }
}
