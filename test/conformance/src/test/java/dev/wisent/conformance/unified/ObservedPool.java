package dev.wisent.conformance.unified;

import com.mongodb.event.ConnectionCheckedInEvent;
import com.mongodb.event.ConnectionCheckedOutEvent;
import com.mongodb.event.ConnectionPoolListener;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections that a client has checked out; called on the driver's threads. */
final class ObservedPool implements ConnectionPoolListener {

  private final AtomicInteger checkedOut = new AtomicInteger();

  @Override
  public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
    checkedOut.incrementAndGet();
  }

  @Override
  public void connectionCheckedIn(ConnectionCheckedInEvent event) {
    checkedOut.decrementAndGet();
  }

  int checkedOut() {
    return checkedOut.get();
  }
}
