package dev.wisent.conformance.crash;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Increments of a few documents that all writers share. */
final class CounterTask implements Task {

  private static final int COUNTERS = 3;

  private final RandomGenerator random;
  private final Map<String, Long> acknowledged = new HashMap<>();
  private Increment underWay;

  CounterTask(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public void step(Namespaces namespaces) {
    Increment increment =
        new Increment("counter" + random.nextInt(COUNTERS), random.nextLong(1, 100));
    underWay = increment;
    namespaces
        .counters()
        .updateOne(
            eq(increment.counter()),
            Updates.inc("n", increment.amount()),
            new UpdateOptions().upsert(true));
    acknowledged.merge(increment.counter(), increment.amount(), Long::sum);
    underWay = null;
  }

  Map<String, Long> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  Optional<Increment> underWay() {
    return Optional.ofNullable(underWay);
  }

  /** Starts again from what the server has, which now counts as acknowledged by one writer. */
  void restart(Map<String, Long> values) {
    acknowledged.clear();
    acknowledged.putAll(values);
    underWay = null;
  }

  /** An increment that was sent. */
  record Increment(String counter, long amount) {}
}
