package dev.wisent.server.transport;

import java.io.IOException;

/** An address cannot be listened on; the message names it and says why. */
public final class ListenException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean addressInUse;

  ListenException(String address, String reason, boolean addressInUse, IOException cause) {
    super("cannot listen on " + address + ": " + reason, cause);
    this.addressInUse = addressInUse;
  }

  /** Whether another process (or this one) listens there already. */
  public boolean addressInUse() {
    return addressInUse;
  }
}
