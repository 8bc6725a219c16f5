package dev.wisent.tools.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A wish of the user to end before the work is done. Thread-safe. */
public final class Interruption {
  private final CountDownLatch requested = new CountDownLatch(1);

  public void request() {
    requested.countDown();
  }

  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits for a while; returns whether there was a wish by then. */
  public boolean await(long millis) {
    try {
      return requested.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Ends the work at this place if there was a wish. */
  public void check() throws ToolException {
    if (isRequested()) {
      throw ToolException.failed("interrupted");
    }
  }
}
