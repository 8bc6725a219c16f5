package dev.wisent.conformance.crash;

import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Does random steps of its tasks until the server goes away. */
final class Writer {

  private final String name;
  private final RandomGenerator random;
  private final TreeMap<Integer, Task> byCumulativeWeight = new TreeMap<>();
  private final AtomicLong steps = new AtomicLong();

  /**
   * @param weights the tasks and how often to choose each, relative to the others
   */
  Writer(String name, RandomGenerator random, Map<Task, Integer> weights) {
    this.name = name;
    this.random = random;
    int sum = 0;
    for (Map.Entry<Task, Integer> entry : weights.entrySet()) {
      sum += entry.getValue();
      byCumulativeWeight.put(sum, entry.getKey());
    }
  }

  /**
   * Writes until a write fails because the server was killed.
   *
   * @return what went wrong, if it was anything else
   */
  Optional<Throwable> run(Namespaces namespaces, BooleanSupplier killed) {
    while (true) {
      try {
        int choice = random.nextInt(byCumulativeWeight.lastKey());
        byCumulativeWeight.higherEntry(choice).getValue().step(namespaces);
        steps.incrementAndGet();
      } catch (MongoException e) {
        // Any server error while it lives is a finding; so is a connection lost before the kill.
        boolean died = killed.getAsBoolean() && !(e instanceof MongoServerException);
        return died ? Optional.empty() : Optional.of(new AssertionError(name + ": " + e, e));
      } catch (IllegalStateException e) {
        // The client is closed once the server is dead, so that the driver looks for it no longer.
        return killed.getAsBoolean()
            ? Optional.empty()
            : Optional.of(new AssertionError(name + ": " + e, e));
      } catch (RuntimeException | AssertionError e) {
        return Optional.of(new AssertionError(name + ": " + e, e));
      }
    }
  }

  /** Writes acknowledged so far; any thread may ask. */
  long steps() {
    return steps.get();
  }
}
