package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.connection.ClientConnection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The fail points with which driver tests make commands ({@code failCommand}) and commits of
 * retryable writes ({@code onPrimaryTransactionalWrite}) fail, index builds wait ({@code
 * hangAfterStartingIndexBuild}), and coordinators wait or die ({@code coordinatorPhase}) or change
 * few documents at a time ({@code coordinatorPages}). Off unless the server was started with test
 * commands. Thread-safe.
 */
public final class FailPoints {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final AtomicReference<FailCommand> failCommand = new AtomicReference<>();
  private final AtomicReference<FailTransactionalWrite> transactionalWrite =
      new AtomicReference<>();
  private final AtomicLong timesEntered = new AtomicLong();
  private volatile boolean indexBuildsHang;
  private volatile FailPhase phase;
  private volatile Integer pageDocuments;

  /** Sets, or with null clears, what {@code failCommand} does. */
  void failCommand(FailCommand settings) {
    failCommand.set(settings);
  }

  /** Sets, or with null clears, what {@code onPrimaryTransactionalWrite} does. */
  void transactionalWrite(FailTransactionalWrite settings) {
    transactionalWrite.set(settings);
  }

  /** Switches all of them off. */
  public void clear() {
    failCommand.set(null);
    transactionalWrite.set(null);
    indexBuildsHang = false;
    phase = null;
    pageDocuments = null;
  }

  /** Says whether {@code hangAfterStartingIndexBuild} is on. */
  void indexBuildsHang(boolean hang) {
    indexBuildsHang = hang;
  }

  /** Keeps an index build waiting for as long as that fail point is on, unless it is ended. */
  public void hangIndexBuild(OperationContext build) {
    while (indexBuildsHang) {
      build.checkNow();
      LockSupport.parkNanos(NANOS_PER_MILLI);
    }
  }

  /** Sets, or with null clears, what {@code coordinatorPhase} does. */
  void coordinatorPhase(FailPhase settings) {
    phase = settings;
  }

  /** Sets, or with null clears, what {@code coordinatorPages} says. */
  void pageDocuments(Integer documents) {
    pageDocuments = documents;
  }

  /** How many documents a coordinator changes at a time, where the fail point says nothing else. */
  public int pageDocuments(int otherwise) {
    Integer set = pageDocuments;
    return set == null ? otherwise : set;
  }

  /**
   * Called by a coordinator at each of its points; waits there for as long as the fail point says.
   *
   * @return whether the run must end as if the node had died
   */
  public boolean crashesAt(String point, OperationContext operation) {
    FailPhase current = phase;
    if (current == null || !current.actsAt(point)) {
      return false;
    }
    timesEntered.incrementAndGet();
    switch (current.action()) {
      case HANG -> {
        while (phase == current) {
          operation.checkNow();
          LockSupport.parkNanos(NANOS_PER_MILLI);
        }
      }
      case FAIL -> throw new CommandException(ErrorCode.OPERATION_FAILED, "failed at " + point);
      case CRASH -> {
        return true;
      }
    }
    return false;
  }

  /** Has commits of a write fail, if there is one and they are to; null if not. */
  public FailingCommits failCommitsOf(RetryableWrite write) {
    if (write == null || transactionalWrite.get() == null) {
      return null;
    }
    var failing = new FailingCommits(transactionalWrite);
    write.beforeCommits(failing);
    return failing;
  }

  /** How often the fail point has acted since the start. */
  long timesEntered() {
    return timesEntered.get();
  }

  /** What is to happen to a command before it runs; null for nothing. */
  public FailCommand before(CommandSpec spec, CommandRequest request, ClientConnection client) {
    FailCommand current = failCommand.get();
    if (current == null || !current.actsBefore() || !appliesTo(current, spec, request, client)) {
      return null;
    }
    return enter();
  }

  /** What is to be added to the reply of a command that has run; null for nothing. */
  public FailCommand after(CommandSpec spec, CommandRequest request, ClientConnection client) {
    FailCommand current = failCommand.get();
    if (current == null
        || current.writeConcernError() == null
        || !spec.is(CommandTrait.WRITE_CONCERN)
        || !appliesTo(current, spec, request, client)) {
      return null;
    }
    return enter();
  }

  /**
   * Counts one more command that the fail point applies to; null while it is still to be spared.
   */
  private FailCommand enter() {
    while (true) {
      FailCommand current = failCommand.get();
      if (current == null) {
        return null;
      }
      boolean spared = current.skips() > 0;
      FailCommand next = current.entered();
      if (failCommand.compareAndSet(current, next)) {
        if (!spared) {
          timesEntered.incrementAndGet();
        }
        return spared ? null : current;
      }
    }
  }

  private static boolean appliesTo(
      FailCommand settings, CommandSpec spec, CommandRequest request, ClientConnection client) {
    if (spec.name().equals("configureFailPoint")) {
      return false;
    }
    boolean named =
        settings.allCommands()
            || settings.commands().contains(spec.name())
            || spec.aliases().stream().anyMatch(settings.commands()::contains);
    return named
        && (settings.appName() == null || settings.appName().equals(appNameOf(client)))
        && (settings.threadName() == null || settings.threadName().equals(client.description()))
        && (settings.namespace() == null || settings.namespace().equals(request.namespaceText()));
  }

  private static String appNameOf(ClientConnection client) {
    RawDocument metadata = client.clientMetadata();
    RawValue application = metadata == null ? null : metadata.get("application");
    RawValue name =
        application == null || !application.isDocument()
            ? null
            : application.asDocument().get("name");
    return name == null || !name.isString() ? null : name.asString();
  }

  /** Waits as the fail point says; killing the operation or its time limit end the wait. */
  public static void block(FailCommand settings, OperationContext operation) {
    long until = operation.clock().monotonicNanos() + settings.blockMillis() * NANOS_PER_MILLI;
    while (operation.clock().monotonicNanos() - until < 0) {
      operation.checkNow();
      LockSupport.parkNanos(NANOS_PER_MILLI);
    }
  }
}
