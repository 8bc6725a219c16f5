package dev.wisent.server.authentication;

import dev.wisent.base.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long the answers to failed logins are held back. The first ones of an address are not; then
 * one is let go after the other, whatever the number of connections, in longer and longer
 * intervals. Logins that succeed do not wait, and let the address begin anew. Thread-safe.
 */
final class LoginDelays {
  private static final int FREE_FAILURES = 3;
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int DOUBLINGS_MAX = 5;
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
  private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int ADDRESSES_MAX = 10_000;

  private final Clock clock;

  /** The address that has failed last at the end; guarded by itself. */
  private final Map<String, Failures> addresses =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > ADDRESSES_MAX;
        }
      };

  private static final class Failures {
    private int count;
    private long lastNanos;

    /** When the answer that was last held back is let go. */
    private long releaseNanos;
  }

  LoginDelays(Clock clock) {
    this.clock = clock;
  }

  /** A login from an address has failed; returns for how long its answer has to wait. */
  long failed(String address) {
    long now = clock.monotonicNanos();
    synchronized (addresses) {
      Failures failures = addresses.get(address);
      if (failures == null || now - failures.lastNanos > FORGOTTEN_NANOS) {
        failures = new Failures();
        failures.releaseNanos = now;
        addresses.put(address, failures);
      }
      failures.lastNanos = now;
      failures.count++;
      int over = failures.count - FREE_FAILURES;
      if (over <= 0) {
        return 0;
      }
      long interval = FIRST_NANOS << Math.min(over - 1, DOUBLINGS_MAX);
      long latest = now + WAIT_NANOS_MAX;
      long begin = failures.releaseNanos - now > 0 ? failures.releaseNanos : now;
      failures.releaseNanos = begin + interval - latest > 0 ? latest : begin + interval;
      return failures.releaseNanos - now;
    }
  }

  void succeeded(String address) {
    synchronized (addresses) {
      addresses.remove(address);
    }
  }

  /** How many addresses are known; for tests. */
  int size() {
    synchronized (addresses) {
      return addresses.size();
    }
  }
}
