package dev.wisent.wire.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks from time to time at the calls whose threads wait for a reply, for these cannot look
 * themselves whether they have to stop. It rests while there are none.
 */
final class CallWatch {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final CallTimer timer;
  private final Set<SentCall> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  CallWatch(CallTimer timer) {
    this.timer = timer;
  }

  void begin(SentCall call) {
    waiting.add(call);
    schedule();
  }

  void end(SentCall call) {
    waiting.remove(call);
  }

  private void schedule() {
    if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
      timer.after(TURN_NANOS, this::turn);
    }
  }

  private void turn() {
    waiting.forEach(SentCall::look);
    scheduled.set(false);
    // After this, a call that begins schedules the next turn itself.
    if (!waiting.isEmpty()) {
      schedule();
    }
  }
}
