package dev.wisent.server.memory;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The memory of what one connection's operation makes: its parsed arguments, its reply, and the
 * largest value that it has read. Belongs to the thread that runs the operation.
 */
public final class OperationMemory {
  /** All that an operation can need: a value, a reply as large, and that reply compressed. */
  static final long BYTES_MOST = 4L * Limits.DOCUMENT_BYTES_MAX_INTERNAL;

  /** A buffer up to this size may be kept for the next reply while there is ample memory. */
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final MessageMemory memory;
  private OperationContext context;
  private boolean administrative;
  private long argumentBytes;
  private long replyBytes;
  private long valueBytes;

  /** What is counted for the operation. */
  private long held;

  /** Whether that is all that an operation can need. */
  private boolean complete;

  public OperationMemory(MessageMemory memory) {
    this.memory = memory;
  }

  /**
   * An operation begins on this thread.
   *
   * @param needsNoWait whether it takes its memory without waiting, because it is there to find out
   *     why others wait
   * @param parsedBytes the length of the arguments that are made into objects
   */
  public void begin(OperationContext operation, boolean needsNoWait, long parsedBytes) {
    context = operation;
    administrative = needsNoWait;
    MessageMemory.current(this);
    if (parsedBytes > Limits.MESSAGE_BYTES_UNCOUNTED_MAX) {
      long bytes = parsedBytes * Limits.PARSED_BYTES_PER_BYTE;
      ensure(bytes);
      argumentBytes = bytes;
    }
  }

  /** The operation's command has run; its reply remains. */
  public void ran() {
    argumentBytes = 0;
    valueBytes = 0;
    keep(replyBytes);
  }

  private void keep(long bytes) {
    if (held > 0) {
      complete = false;
      long kept = bytes > Limits.MESSAGE_BYTES_UNCOUNTED_MAX ? Math.min(bytes, held) : 0;
      long free = held - kept;
      if (free > 0) {
        held = kept;
        memory.release(free);
      }
    }
  }

  /** Before the reply takes so much in all. */
  public void reply(long bytes) {
    ensure(argumentBytes + bytes + valueBytes);
    replyBytes = bytes;
  }

  /** Before a value of the store is read. */
  void value(int bytes) {
    if (bytes > valueBytes) {
      ensure(argumentBytes + replyBytes + bytes);
      valueBytes = bytes;
    }
  }

  private void ensure(long wanted) {
    if (wanted <= held || wanted <= Limits.MESSAGE_BYTES_UNCOUNTED_MAX || complete) {
      return;
    }
    long more = wanted - held;
    boolean taken = administrative ? memory.tryTakeReserve(more) : memory.tryTakeMore(more);
    if (!taken) {
      more = await(more);
    }
    held += more;
  }

  private long await(long more) {
    Thread thread = Thread.currentThread();
    long start = memory.clock().monotonicNanos();
    MessageMemory.Claim claim =
        memory.enqueueRunning(
            more, Math.max(more, BYTES_MOST - held), () -> LockSupport.unpark(thread));
    try {
      while (true) {
        long given = memory.given(claim);
        if (given > 0) {
          complete = given > more;
          return given;
        }
        checkStop();
        long waited = memory.clock().monotonicNanos() - start;
        if (waited > TimeUnit.MILLISECONDS.toNanos(Limits.MESSAGE_MEMORY_WAIT_MILLIS_MAX)) {
          memory.refused();
          throw new CommandException(
              ErrorCode.EXCEEDED_MEMORY_LIMIT,
              "the messages in flight leave no memory for a reply of this size");
        }
        LockSupport.parkNanos(this, CHECK_NANOS);
      }
    } catch (RuntimeException | Error e) {
      if (!memory.cancel(claim)) {
        memory.release(memory.given(claim));
      }
      throw e;
    }
  }

  private void checkStop() {
    if (context != null) {
      context.checkNow();
      if (Thread.interrupted()) {
        throw context.threadInterrupted();
      }
    }
  }

  /** How large a buffer may be kept for the next reply. */
  public int keptBytesMax() {
    return memory.isAmple() ? KEPT_BYTES_MAX : Limits.MESSAGE_BYTES_UNCOUNTED_MAX;
  }

  /** The reply is sent; a buffer of so many bytes is kept. */
  public void end(int keptBytes) {
    context = null;
    argumentBytes = 0;
    valueBytes = 0;
    replyBytes = keptBytes;
    keep(keptBytes);
  }
}
