package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.concurrent.atomic.AtomicReference;

/** Runs before each commit of one retryable write, and spoils those that a fail point asks for. */
public final class FailingCommits implements Runnable {
  private final AtomicReference<FailTransactionalWrite> settings;
  private boolean closesConnection;

  FailingCommits(AtomicReference<FailTransactionalWrite> settings) {
    this.settings = settings;
  }

  @Override
  public void run() {
    FailTransactionalWrite now =
        settings.getAndUpdate(current -> current == null ? null : current.entered());
    if (now == null || now.skips() > 0) {
      return;
    }
    closesConnection |= now.closeConnection();
    if (now.errorCode() != 0) {
      throw new CommandException(
          ErrorCode.ofNumber(now.errorCode()),
          "Failing write for the onPrimaryTransactionalWrite fail point");
    }
  }

  /** Whether the client is to get no answer. */
  public boolean closesConnection() {
    return closesConnection;
  }
}
