package dev.wisent.bench.workload;

import dev.wisent.bench.data.Articles;
import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.data.MonitoringSamples;
import dev.wisent.bench.data.Places;
import dev.wisent.bench.data.SeededText;
import dev.wisent.bench.measure.Client;
import dev.wisent.bench.measure.ClosedLoop;
import dev.wisent.bench.measure.Limit;
import dev.wisent.bench.measure.Sample;
import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.store.Store;
import dev.wisent.bench.target.Target;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A started target together with what has been loaded into it. Used by the main thread only. */
public final class Subject {
  private final Target target;
  private final Settings settings;
  private final DocumentGenerator generator;
  private final MonitoringSamples samples;
  private final Articles articles;
  private final Places places;
  private final Set<String> loaded = new HashSet<>();

  public Subject(Target target, Settings settings) {
    this.target = target;
    this.settings = settings;
    this.generator = new DocumentGenerator(settings.seed(), settings.records());
    this.samples = new MonitoringSamples(settings.seed(), settings.records());
    this.articles = new Articles(settings.seed(), settings.records());
    this.places = new Places(settings.seed());
  }

  public Target target() {
    return target;
  }

  public Settings settings() {
    return settings;
  }

  Store store() {
    return target.store();
  }

  DocumentGenerator generator() {
    return generator;
  }

  MonitoringSamples samples() {
    return samples;
  }

  Articles articles() {
    return articles;
  }

  Places places() {
    return places;
  }

  void require(Dataset dataset) {
    require(
        dataset.spec(),
        loader -> {
          for (long i = 0; i < dataset.size(settings.records()); i++) {
            loader.add(dataset.document(this, i));
          }
        });
  }

  /** Creates and fills a collection unless an earlier workload has. */
  void require(CollectionSpec spec, Consumer<Loader> fill) {
    if (loaded.contains(spec.name())) {
      return;
    }
    store().create(spec);
    try (Session session = store().session(Durability.ACKNOWLEDGED)) {
      Loader loader = new Loader(session, spec.name());
      fill.accept(loader);
      loader.flush();
    }
    store().afterLoad(spec.name());
    loaded.add(spec.name());
  }

  /** Has the next workload that requires a collection create and fill it anew. */
  void forget(String collection) {
    loaded.remove(collection);
  }

  /** The same numbers for the same client of the same round, on every target. */
  SplittableRandom random(String workload, int round, int client) {
    long number = (workload.hashCode() * 31L + round) * 1009L + client;
    return SeededText.random(settings.seed(), number);
  }

  /** Makes the operation that one client repeats. */
  interface OperationMaker {
    Operation make(Session session, int client);
  }

  /** One operation; returns the units done. */
  interface Operation {
    int run() throws Exception;
  }

  /** Opens clients, measures their work, and closes them. */
  Sample measure(int clients, Durability durability, Limit limit, OperationMaker maker)
      throws Exception {
    List<SessionClient> open = new ArrayList<>();
    try {
      for (int i = 0; i < clients; i++) {
        Session session = store().session(durability);
        open.add(new SessionClient(session, maker.make(session, i)));
      }
      return target.meter().measure(() -> ClosedLoop.run(open, limit));
    } finally {
      open.forEach(client -> client.session().close());
    }
  }

  private record SessionClient(Session session, Operation operation) implements Client {
    @Override
    public int operate() throws Exception {
      return operation.run();
    }
  }
}
