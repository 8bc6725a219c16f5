package dev.wisent.cluster.coordinator;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Primaries that come one after the other, over documents in memory. */
public final class CoordinatorTestNode implements CoordinatorStore {
  private final Map<RawValue, RawDocument> documents = new ConcurrentHashMap<>();
  private final Map<UUID, RawDocument> outcomes = new ConcurrentHashMap<>();
  private final List<Coordinator> types;
  private volatile boolean loses;
  private final AtomicLong term = new AtomicLong();

  public CoordinatorTestNode(List<Coordinator> types) {
    this.types = types;
  }

  /** A new primary. */
  public Coordinators primary(PhasePoints points) {
    return new Coordinators(
        types,
        this,
        points,
        (description, namespace, operation) -> () -> {},
        new Coordinators.Node(
            Clock.system(),
            BackgroundLoops.silent().scheduler(),
            RandomSource.system(),
            Log.silent(),
            CoordinatorTestNode::faultOf));
  }

  public static OperationContext operation() {
    OperationContext operation = OperationContext.internal(Clock.system());
    operation.limitMillis(60_000);
    return operation;
  }

  /** All points of a coordinator, before and after each phase. */
  public static List<String> pointsOf(Coordinator coordinator) {
    var points = new ArrayList<String>();
    for (Phase phase : coordinator.phases()) {
      points.add(coordinator.type() + "." + phase.name() + ".before");
      points.add(coordinator.type() + "." + phase.name() + ".after");
    }
    return points;
  }

  /** The next write loses the leadership of the node. */
  void loseLeadership() {
    loses = true;
  }

  /** Ends the run that reaches a point. */
  public static PhasePoints crashAt(String point) {
    return (reached, operation) -> {
      if (reached.equals(point)) {
        throw new CoordinatorCrashException(point);
      }
    };
  }

  @Override
  public List<RawDocument> all(OperationContext operation) {
    return List.copyOf(documents.values());
  }

  /** The same member leads again, and its runs do not know yet. */
  void nextTerm() {
    term.incrementAndGet();
  }

  @Override
  public long term() {
    return term.get();
  }

  private void requireTerm(long of) {
    if (of != term.get()) {
      throw new CommandException(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "another term");
    }
  }

  @Override
  public void put(OperationContext operation, RawDocument document, long ofRun) {
    operation.checkNow();
    requireTerm(ofRun);
    if (loses) {
      loses = false;
      throw new UncheckedIOException(new IOException("the leadership is lost"));
    }
    documents.put(document.get("_id"), document);
  }

  @Override
  public void remove(OperationContext operation, RawValue id, RawDocument outcome, long ofRun) {
    operation.checkNow();
    requireTerm(ofRun);
    if (outcome != null) {
      outcomes.put(outcome.get("_id").asUuid(), outcome);
    }
    documents.remove(id);
  }

  @Override
  public RawDocument outcome(OperationContext operation, UUID key) {
    return outcomes.get(key);
  }

  private static CommandException faultOf(RuntimeException thrown) {
    return thrown instanceof UncheckedIOException
        ? new CommandException(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, thrown.getMessage())
        : null;
  }
}
