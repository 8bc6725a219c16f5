package dev.wisent.server.operation;

import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.security.UserName;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.privilege.Principal;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What is running now: commands, and what the server does for itself. Thread-safe. */
public final class OperationRegistry {
  private final ConcurrentHashMap<Integer, RunningOperation> running = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, BackgroundOperation> inBackground =
      new ConcurrentHashMap<>();
  private final AtomicInteger lastId = new AtomicInteger();

  public RunningOperation start(
      ClientConnection client, CommandSpec spec, CommandRequest request, OperationContext context) {
    int id = nextId();
    var operation = new RunningOperation(id, client, spec, request, context);
    running.put(id, operation);
    return operation;
  }

  private int nextId() {
    return lastId.incrementAndGet() & Integer.MAX_VALUE;
  }

  public BackgroundOperation startInBackground(
      String description, String kind, String namespace, OperationContext context) {
    var operation = new BackgroundOperation(nextId(), description, kind, namespace, context);
    inBackground.put(operation.id(), operation);
    return operation;
  }

  public void end(RunningOperation operation) {
    running.remove(operation.id());
  }

  public void end(BackgroundOperation operation) {
    inBackground.remove(operation.id());
  }

  /** The user that runs a command; null if there is none of the id, or it is of no user. */
  public UserName ownerOf(int id) {
    RunningOperation command = running.get(id);
    return command == null ? null : command.request().principal().name().orElse(null);
  }

  /** The one that a command runs for, by its context; what is not a client's may do everything. */
  public Principal principalOf(OperationContext context) {
    for (RunningOperation operation : running.values()) {
      if (operation.context() == context) {
        return operation.request().principal();
      }
    }
    return Principal.UNRESTRICTED;
  }

  /** Ends an operation at its next check, if it is still running. */
  public boolean kill(int id) {
    RunningOperation command = running.get(id);
    BackgroundOperation other = inBackground.get(id);
    if (command != null) {
      command.context().kill(ErrorCode.INTERRUPTED);
    } else if (other != null) {
      other.context().kill(ErrorCode.INTERRUPTED);
    }
    return command != null || other != null;
  }

  /** Ends everything that a connection left behind. */
  public void killAll(ErrorCode reason) {
    running.values().forEach(operation -> operation.context().kill(reason));
    inBackground.values().forEach(operation -> operation.context().kill(reason));
  }

  /** Has what runs for a client look whether the client is still there. */
  public void wakeOf(ClientConnection client) {
    for (RunningOperation operation : running.values()) {
      if (operation.client() == client) {
        operation.context().wakeup().wake();
      }
    }
  }

  public Collection<RunningOperation> running() {
    return running.values();
  }

  public Collection<BackgroundOperation> inBackground() {
    return inBackground.values();
  }
}
