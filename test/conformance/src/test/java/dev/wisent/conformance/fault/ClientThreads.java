package dev.wisent.conformance.fault;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Clients that work side by side, each on a thread of its own, until they are told to stop. */
public final class ClientThreads implements AutoCloseable {

  private static final int END_TIMEOUT_SECONDS = 120;

  /** InternalError and UnknownError: no fault is an excuse for them. */
  private static final Set<Integer> UNEXPLAINED = Set.of(1, 8);

  /** One client, used by one thread. */
  public interface Client extends AutoCloseable {

    /** One operation. What it throws is a finding, and ends the client. */
    void step();

    @Override
    void close();
  }

  private final Map<String, Integer> errors = new TreeMap<>();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean stopping;

  /** Retries as drivers do by default; and does not wait for ever for a member that is paused. */
  public static MongoClientSettings settings(String uri) {
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(uri))
        .applyToSocketSettings(
            b -> b.connectTimeout(2, TimeUnit.SECONDS).readTimeout(5, TimeUnit.SECONDS))
        .applyToServerSettings(
            b ->
                b.heartbeatFrequency(1, TimeUnit.SECONDS)
                    .minHeartbeatFrequency(100, TimeUnit.MILLISECONDS))
        .applyToClusterSettings(b -> b.serverSelectionTimeout(20, TimeUnit.SECONDS))
        .build();
  }

  public void start(String name, Function<String, ? extends Client> create) {
    running.add(
        executor.submit(
            () -> {
              try (Client client = create.apply(name)) {
                while (!stopping) {
                  client.step();
                }
              }
            }));
  }

  /** Whether a client has found something that no fault explains. */
  public boolean endedEarly() {
    return running.stream().anyMatch(Future::isDone);
  }

  /** Ends the clients; fails with what one of them found. */
  public void stop() {
    stopping = true;
    for (Future<?> future : running) {
      try {
        future.get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError("a client failed: " + e, e);
      }
    }
  }

  /** Counts what a client was told while something was broken. */
  public void failed(MongoException error) {
    if (UNEXPLAINED.contains(error.getCode())) {
      throw new AssertionError("a client was told what no fault explains: " + error, error);
    }
    String what = error.getClass().getSimpleName() + " " + error.getCode();
    synchronized (errors) {
      errors.merge(what, 1, Integer::sum);
    }
  }

  public String errors() {
    synchronized (errors) {
      return errors.isEmpty() ? "no errors" : "errors " + errors;
    }
  }

  @Override
  public void close() {
    stopping = true;
    executor.shutdownNow();
  }
}
