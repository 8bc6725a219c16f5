package dev.wisent.server.operation;

import dev.wisent.base.ErrorCode;
import dev.wisent.database.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.connection.ClientConnection;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The commands that are running now. Thread-safe. */
public final class OperationRegistry {
  private final ConcurrentHashMap<Integer, RunningOperation> running = new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();

  public RunningOperation start(
      ClientConnection client, CommandSpec spec, CommandRequest request, OperationContext context) {
    int id = lastId.incrementAndGet() & Integer.MAX_VALUE;
    var operation = new RunningOperation(id, client, spec, request, context);
    running.put(id, operation);
    return operation;
  }

  public void end(RunningOperation operation) {
    running.remove(operation.id());
  }

  /** Ends an operation at its next check, if it is still running. */
  public boolean kill(int id) {
    RunningOperation operation = running.get(id);
    if (operation != null) {
      operation.context().kill(ErrorCode.INTERRUPTED);
    }
    return operation != null;
  }

  /** Ends everything that a connection left behind. */
  public void killAll(ErrorCode reason) {
    running.values().forEach(operation -> operation.context().kill(reason));
  }

  public Collection<RunningOperation> running() {
    return running.values();
  }
}
