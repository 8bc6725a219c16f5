package dev.wisent.server.harness;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.operation.transaction.PreparedPart;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionLimits;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Transactions that begin and end, and isolate nothing. For one thread. */
public final class FakeTransactions implements Transactions {
  private final Map<TransactionId, TransactionStatement> open = new HashMap<>();
  private final List<TransactionStatement> statements = new ArrayList<>();
  private final List<TransactionId> committed = new ArrayList<>();
  private final List<TransactionId> aborted = new ArrayList<>();
  private final TransactionLimits limits = new TransactionLimits();
  private Consumer<EndedTransaction> listener = ended -> {};
  private CommandException nextError;
  private Runnable duringNext = () -> {};
  private TransactionId running;
  private long openMicros = 7_000;

  @Override
  public void run(OperationContext operation, TransactionStatement statement, Runnable work) {
    statements.add(statement);
    if (statement.starts()) {
      open.put(statement.id(), statement);
    } else if (!open.containsKey(statement.id())) {
      throw unknown(statement.id());
    }
    running = statement.id();
    try {
      failIfAsked();
      Runnable during = duringNext;
      duringNext = () -> {};
      during.run();
      work.run();
      if (operation.writes().haveFailed()) {
        running = null;
        end(statement.id(), false, null);
      }
    } catch (RuntimeException e) {
      running = null;
      end(statement.id(), false, null);
      throw e;
    } finally {
      running = null;
    }
  }

  private void failIfAsked() {
    CommandException error = nextError;
    nextError = null;
    if (error != null) {
      throw error;
    }
  }

  private static CommandException unknown(TransactionId id) {
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Given transaction number " + id.number() + " does not match any in-progress transactions");
  }

  private void end(TransactionId id, boolean commit, ErrorCode reason) {
    OpenTransaction last = describe(open.remove(id));
    (commit ? committed : aborted).add(id);
    listener.accept(new EndedTransaction(last, commit, reason));
  }

  @Override
  public void commit(OperationContext operation, TransactionId id) {
    failIfAsked();
    if (committed.contains(id)) {
      return;
    }
    if (!open.containsKey(id)) {
      throw unknown(id);
    }
    end(id, true, null);
  }

  @Override
  public void commit(OperationContext operation, TransactionId id, long time) {
    throw new CommandException(
        ErrorCode.INVALID_OPTIONS,
        "commitTransaction provided commitTimestamp to unprepared transaction.");
  }

  @Override
  public long prepare(OperationContext operation, TransactionId id, String coordinator) {
    throw new UnsupportedOperationException("not of several shards");
  }

  @Override
  public List<PreparedPart> prepared() {
    return List.of();
  }

  @Override
  public void abortDecided(OperationContext operation, TransactionId id) {
    throw new UnsupportedOperationException("not of several shards");
  }

  @Override
  public boolean isCommitted(OperationContext operation, TransactionId id) {
    throw new UnsupportedOperationException("not of several shards");
  }

  @Override
  public void abort(OperationContext operation, TransactionId id) {
    failIfAsked();
    if (!open.containsKey(id)) {
      throw unknown(id);
    }
    end(id, false, null);
  }

  @Override
  public int abortAll(Predicate<SessionId> sessions, ErrorCode reason) {
    List<TransactionId> ids =
        open.keySet().stream().filter(id -> sessions.test(id.session())).toList();
    ids.forEach(id -> end(id, false, reason));
    return ids.size();
  }

  @Override
  public int abortExpired() {
    return abortAll(session -> true, ErrorCode.TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS);
  }

  @Override
  public TransactionLimits limits() {
    return limits;
  }

  @Override
  public List<OpenTransaction> open() {
    return open.values().stream().map(this::describe).toList();
  }

  private OpenTransaction describe(TransactionStatement first) {
    return new OpenTransaction(
        first.id(),
        first.readConcern(),
        17L << 32,
        1_000,
        openMicros,
        2_000,
        61_000,
        !first.id().equals(running));
  }

  @Override
  public TransactionFigures figures() {
    long ended = (long) committed.size() + aborted.size();
    return new TransactionFigures(
        open.size() + ended, committed.size(), aborted.size(), open.size(), 0, 3, 4, 5);
  }

  @Override
  public void onEnd(Consumer<EndedTransaction> told) {
    listener = told;
  }

  /** Has the next statement, commit or abort fail. */
  public void failNext(CommandException error) {
    nextError = error;
  }

  /** Has something done while the next statement runs. */
  public void duringNext(Runnable action) {
    duringNext = action;
  }

  /** Has transactions take this long. */
  public void openMicros(long micros) {
    openMicros = micros;
  }

  public List<TransactionStatement> statements() {
    return statements;
  }

  public List<TransactionId> committed() {
    return committed;
  }

  public List<TransactionId> aborted() {
    return aborted;
  }
}
