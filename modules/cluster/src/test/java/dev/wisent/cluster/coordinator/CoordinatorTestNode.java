package dev.wisent.cluster.coordinator;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Primaries that come one after the other, over documents in memory. */
public final class CoordinatorTestNode implements CoordinatorStore {
  private final Map<RawValue, RawDocument> documents = new ConcurrentHashMap<>();
  private final Map<UUID, RawDocument> outcomes = new ConcurrentHashMap<>();
  private final List<Coordinator> types;

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
            Log.silent()));
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

  @Override
  public void put(OperationContext operation, RawDocument document) {
    operation.checkNow();
    documents.put(document.get("_id"), document);
  }

  @Override
  public void remove(OperationContext operation, RawValue id, RawDocument outcome) {
    operation.checkNow();
    if (outcome != null) {
      outcomes.put(outcome.get("_id").asUuid(), outcome);
    }
    documents.remove(id);
  }

  @Override
  public RawDocument outcome(OperationContext operation, UUID key) {
    return outcomes.get(key);
  }
}
