package dev.wisent.bench.workload;

import dev.wisent.bench.store.Durability;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.TargetFactory;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One operation that looks at every document of a collection: throughput and CPU are those of a
 * document. As many clients as this keep the server busy, more would only wait.
 *
 * @param datasets the collection that is read, and others that it is joined with
 * @param notByMemoryServer why mongo-java-server cannot do it; null if it can
 */
record ScanWorkload(
    String name,
    String summary,
    List<Dataset> datasets,
    LoopWorkload.Step step,
    String notByMemoryServer)
    implements Workload {
  private static final int CLIENTS_MAX = 2;

  @Override
  public String unit() {
    return "document";
  }

  @Override
  public Durability durability() {
    return Durability.READ_ONLY;
  }

  @Override
  public Optional<String> unsupportedBy(Target target) {
    return target.name().equals(TargetFactory.MONGO_JAVA_SERVER)
        ? Optional.ofNullable(notByMemoryServer)
        : Optional.empty();
  }

  @Override
  public Prepared prepare(Subject subject) {
    datasets.forEach(subject::require);
    String collection = datasets.getFirst().collection();
    long records = subject.settings().records();
    return round ->
        subject.measure(
            Math.min(subject.settings().threads(), CLIENTS_MAX),
            durability(),
            round.limit(),
            (session, client) -> {
              SplittableRandom random = subject.random(name, round.number(), client);
              return () -> {
                step.run(session, collection, records, random);
                return Math.toIntExact(records);
              };
            });
  }
}
