package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * A call that its own thread makes, without a hand-over to another one: the request is sent, the
 * reply not read yet. One thread at a time uses it.
 */
public final class SentCall {
  private final HostPool pool;
  private final PendingCall call;
  private final NodeConnection connection;
  private final CallWatch watch;
  private volatile BooleanSupplier over = () -> false;
  private volatile boolean late;
  private CallTimer.Scheduled deadline = () -> {};
  private boolean ended;

  SentCall(HostPool pool, PendingCall call, NodeConnection connection, CallWatch watch) {
    this.pool = pool;
    this.call = call;
    this.connection = connection;
    this.watch = watch;
  }

  /**
   * Waits for the reply, {@code ok: 1} or not.
   *
   * @param stop whether the caller has to stop; asked by another thread from time to time
   * @throws CommandException as a future of {@link NodeClient#call} fails; after a stop any of them
   */
  public RawDocument receive(BooleanSupplier stop) {
    over = stop;
    ended = true;
    watch.begin(this);
    RawDocument reply;
    try {
      reply = connection.receive();
    } catch (IOException | RuntimeException e) {
      call.finish();
      pool.discard(connection);
      throw late
          ? HostFailures.timeout(pool.host, call.request)
          : pool.failure(HostFailures.of(pool.host, e));
    } finally {
      watch.end(this);
      deadline.cancel();
    }
    if (call.finish()) {
      pool.release(connection);
    } else {
      pool.discard(connection);
    }
    return reply;
  }

  /**
   * Ends a call whose reply is not waited for any more.
   *
   * @return the reply if it is there; null if it is not, and after {@link #receive}
   */
  public RawDocument receiveNow() {
    if (ended) {
      return null;
    }
    try {
      return receive(() -> true);
    } catch (CommandException e) {
      return null;
    }
  }

  void deadline(CallTimer.Scheduled scheduled) {
    deadline = scheduled;
  }

  /** Ends the wait for the reply if it is over; by the thread that watches. */
  void look() {
    if (over.getAsBoolean()) {
      call.abandon();
    }
  }

  /** Ends the wait for the reply at the deadline of the request. */
  void expire() {
    late = true;
    call.abandon();
  }
}
