package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.transaction.PreparedPart;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.replication.ReplicaSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Finds the outcome of what is prepared here, if the coordinator does not send it: the primary asks
 * the coordinator, after a second and then with pauses that grow. Belongs to one background loop.
 */
final class PreparedParts {
  private static final long PAUSE_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  /** How many are asked for at a time. */
  private static final int BATCH_MAX = 100;

  private static final long CALL_MILLIS_MAX = TimeUnit.SECONDS.toMillis(10);
  private static final int RESOLVED_LOG_ID = 9_000_535;
  private static final int FAILED_LOG_ID = 9_000_536;
  private static final int UNKNOWN_LOG_ID = 9_000_537;

  private final Transactions transactions;
  private final ReplicaSet set;
  private final Supplier<ShardCalls> calls;
  private final CommitFigures figures;
  private final Clock clock;
  private final Log log;
  private final Map<TransactionId, Question> questions = new HashMap<>();

  /** When a part is asked for next. */
  private static final class Question {
    private long atNanos;
    private long pauseNanos = PAUSE_NANOS_MIN;
  }

  PreparedParts(
      Transactions transactions,
      ReplicaSet set,
      Supplier<ShardCalls> calls,
      CommitFigures figures,
      Clock clock,
      Log log) {
    this.transactions = transactions;
    this.set = set;
    this.calls = calls;
    this.figures = figures;
    this.clock = clock;
    this.log = log;
  }

  /** Asks for those whose time has come. */
  void turn() {
    List<PreparedPart> parts = transactions.prepared();
    questions.keySet().retainAll(parts.stream().map(PreparedPart::id).toList());
    Map<String, List<PreparedPart>> due = due(parts);
    due.forEach(this::ask);
  }

  /** A coordinator that does not answer uses up the time of its own call only. */
  private void ask(String coordinator, List<PreparedPart> parts) {
    RawDocument reply;
    try {
      reply = calls.get().call(operation(), request(coordinator, parts));
    } catch (CommandException e) {
      failed(parts.getFirst(), e);
      return;
    }
    end(parts, reply);
  }

  private OperationContext operation() {
    OperationContext operation = OperationContext.internal(clock);
    operation.limitMillis(CALL_MILLIS_MAX);
    return operation;
  }

  /** By coordinator; the next question about them is put off. */
  private Map<String, List<PreparedPart>> due(List<PreparedPart> parts) {
    long now = clock.monotonicNanos();
    var due = new TreeMap<String, List<PreparedPart>>();
    for (PreparedPart part : parts) {
      if (part.coordinator() == null) {
        continue;
      }
      Question question = questions.get(part.id());
      if (question == null) {
        question = new Question();
        question.atNanos = now + PAUSE_NANOS_MIN;
        questions.put(part.id(), question);
      } else if (now - question.atNanos >= 0) {
        List<PreparedPart> batch =
            due.computeIfAbsent(part.coordinator(), name -> new ArrayList<>());
        if (batch.size() < BATCH_MAX) {
          batch.add(part);
          question.pauseNanos = Math.min(2 * question.pauseNanos, PAUSE_NANOS_MAX);
          question.atNanos = now + question.pauseNanos;
        }
      }
    }
    return due;
  }

  private ShardRequest request(String coordinator, List<PreparedPart> parts) {
    figures.asked(parts.size());
    RawDocument command =
        TransactionOutcomesCommand.request(parts.stream().map(PreparedPart::id).toList());
    return ShardRequest.control(coordinator, "admin", command);
  }

  private void end(List<PreparedPart> parts, RawDocument reply) {
    List<TransactionOutcome> outcomes = TransactionOutcomesCommand.outcomes(reply);
    for (int i = 0; i < parts.size(); i++) {
      try {
        end(parts.get(i), outcomes.get(i));
      } catch (CommandException e) {
        failed(parts.get(i), e);
      }
    }
  }

  private void end(PreparedPart part, TransactionOutcome outcome) {
    switch (outcome.kind()) {
      case COMMIT -> {
        // Where only that it has committed is still known, no reader asks for the time any more.
        long time = outcome.time() == 0 ? part.preparedAt() : outcome.time();
        set.clock().advanceTo(time);
        transactions.commit(operation(), part.id(), time);
        figures.resolved(true);
      }
      case ABORT -> {
        transactions.abortDecided(operation(), part.id());
        figures.resolved(false);
      }
      case UNDECIDED -> {
        return;
      }
      case UNKNOWN -> {
        log.warn(
            UNKNOWN_LOG_ID,
            "The coordinator of a prepared transaction does not know its outcome any more",
            "coordinator",
            part.coordinator(),
            "lsid",
            part.id().session(),
            "txnNumber",
            part.id().number());
        return;
      }
    }
    log.info(
        RESOLVED_LOG_ID,
        "Learned the outcome of a prepared transaction from its coordinator",
        "coordinator",
        part.coordinator(),
        "lsid",
        part.id().session(),
        "txnNumber",
        part.id().number(),
        "outcome",
        outcome.kind());
  }

  private void failed(PreparedPart part, CommandException error) {
    figures.askingFailed();
    log.warn(
        FAILED_LOG_ID,
        "Could not learn the outcome of a prepared transaction",
        "coordinator",
        part.coordinator(),
        "lsid",
        part.id().session(),
        "txnNumber",
        part.id().number(),
        "error",
        error.getMessage());
  }
}
