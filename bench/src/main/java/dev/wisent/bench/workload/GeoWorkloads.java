package dev.wisent.bench.workload;

import static dev.wisent.bench.workload.LoopWorkload.expect;

import dev.wisent.bench.data.Places;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.target.Target;
import dev.wisent.bench.target.TargetFactory;
import java.util.List;
import java.util.Optional;

/** Searches by distance. */
final class GeoWorkloads {
  private static final int NEAREST = 20;

  private GeoWorkloads() {}

  static List<Workload> all() {
    return List.of(new Near());
  }

  /** A loop over points, where the target has an index on them. */
  private record Near() implements Workload {
    @Override
    public String name() {
      return "geo-near";
    }

    @Override
    public String summary() {
      return "the " + NEAREST + " documents that are nearest to a point";
    }

    @Override
    public Durability durability() {
      return Durability.READ_ONLY;
    }

    @Override
    public Optional<String> unsupportedBy(Target target) {
      return target.name().equals(TargetFactory.MONGO_JAVA_SERVER)
          ? Optional.of("it does not order by distance")
          : Optional.empty();
    }

    @Override
    public Prepared prepare(Subject subject) {
      LoopWorkload.Step step =
          (session, collection, records, random) -> {
            Places.Point point = subject.places().point(random);
            expect(
                Math.min(NEAREST, records),
                session.near(collection, Fields.LOCATION, point, NEAREST));
          };
      return new LoopWorkload(name(), summary(), durability(), Dataset.PLACES, step)
          .prepare(subject);
    }
  }
}
