package dev.wisent.wire.client;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.types.ObjectId;

/**
 * Follows a replica set: each member tells of its changes in a stream of answers to {@code hello}.
 * A member that does not answer is asked again until it does, or a primary no longer names it; so
 * the monitor survives the loss of all members.
 */
public final class ReplicaSetMonitor implements AutoCloseable {
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** How long an answer may be late. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** How long a primary that another one has replaced may take to tell of itself. */
  private static final long REPLACED_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** How long calls to a host go on that says nothing of itself any more. */
  private static final long SILENT_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private static final long RETRY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long RETRY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  /** The share of the newest measurement in the average. */
  private static final double LATENCY_WEIGHT = 0.2;

  private final NodeClient client;
  private final Clock clock;
  private final CallTimer timer;
  private final Map<HostAndPort, Long> latencies = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<HostAndPort, Watch> watches = new HashMap<>(); // guarded by the lock
  private final List<Waiter> waiters = new ArrayList<>(); // guarded by the lock
  private volatile SetDescription description;
  private boolean closed; // guarded by the lock

  /** A request for a host that is not there yet. */
  private record Waiter(HostSelector selector, CompletableFuture<HostAndPort> future) {}

  /**
   * @param seeds some members of the set
   */
  public ReplicaSetMonitor(
      NodeClient client,
      String setName,
      Set<HostAndPort> seeds,
      Clock clock,
      BackgroundLoops loops) {
    this.client = client;
    this.clock = clock;
    this.description = SetDescription.of(setName, seeds);
    this.timer = new CallTimer("replica-set-monitor-" + setName, clock, Runnable::run, loops);
    lock.lock();
    try {
      followHosts();
    } finally {
      lock.unlock();
    }
  }

  public SetDescription description() {
    return description;
  }

  /** The primary, as far as it is known. */
  public Optional<HostAndPort> primary() {
    return description.primary().map(HostDescription::host);
  }

  /** The hosts that may serve a request now. */
  public List<HostAndPort> hosts(HostSelector selector) {
    return selector.select(
        description, host -> latencies.getOrDefault(host, 0L), HEARTBEAT.toMillis());
  }

  /** A host that may serve a request now; several take turns. Null if none is known. */
  public HostAndPort selectNow(HostSelector selector) {
    if (selector.mode() != HostSelector.Mode.PRIMARY) {
      return pick(selector);
    }
    HostDescription primary = description.primary().orElse(null);
    return primary == null ? null : primary.host();
  }

  /**
   * A host that may serve a request, as soon as there is one; several take turns. The stages that
   * depend on the future must not block.
   *
   * @return fails with FailedToSatisfyReadPreference after the timeout
   */
  public CompletableFuture<HostAndPort> select(HostSelector selector, Duration timeout) {
    var future = new CompletableFuture<HostAndPort>();
    HostAndPort found;
    boolean over;
    lock.lock();
    try {
      over = closed;
      found = pick(selector);
      if (found == null && !over) {
        waiters.add(new Waiter(selector, future));
      }
    } finally {
      lock.unlock();
    }
    if (over) {
      future.completeExceptionally(HostFailures.shutdown());
    } else if (found != null) {
      future.complete(found);
    } else {
      CallTimer.Scheduled deadline =
          timer.after(timeout.toNanos(), () -> future.completeExceptionally(unsatisfied(selector)));
      var unused =
          future.whenComplete(
              (host, failure) -> {
                deadline.cancel();
                forget(future);
              });
    }
    return future;
  }

  private void forget(CompletableFuture<HostAndPort> future) {
    lock.lock();
    try {
      waiters.removeIf(waiter -> waiter.future == future);
    } finally {
      lock.unlock();
    }
  }

  private CommandException unsatisfied(HostSelector selector) {
    return new CommandException(
        ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
        "Could not find host matching read preference { mode: \""
            + selector.mode().text()
            + "\" } for set "
            + description.setName());
  }

  private HostAndPort pick(HostSelector selector) {
    List<HostAndPort> hosts = hosts(selector);
    return hosts.isEmpty() ? null : hosts.get(Math.floorMod(turn.getAndIncrement(), hosts.size()));
  }

  /**
   * A call to a host has failed, or was refused because it is not the primary: it counts as unknown
   * until it has answered again.
   */
  public void failed(HostAndPort host, String why) {
    update(HostDescription.unknown(host, why));
    Watch watch;
    lock.lock();
    try {
      watch = watches.get(host);
    } finally {
      lock.unlock();
    }
    if (watch != null) {
      watch.restart();
    }
  }

  private void update(HostDescription heard) {
    var found = new HashMap<Waiter, HostAndPort>();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      SetDescription before = description;
      description = before.apply(heard);
      followHosts();
      doubtSilentHosts(before);
      for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
        Waiter waiter = each.next();
        HostAndPort host = pick(waiter.selector);
        if (host != null) {
          found.put(waiter, host);
          each.remove();
        }
      }
    } finally {
      lock.unlock();
    }
    found.forEach((waiter, host) -> waiter.future.complete(host));
  }

  /**
   * Calls to hosts that are known no longer end, unless they tell of themselves soon. The
   * connections of a process that is stopped, or of a machine that is gone, stay open.
   */
  private void doubtSilentHosts(SetDescription before) {
    boolean led = description.primary().isPresent();
    for (HostDescription each : before.hosts()) {
      HostAndPort host = each.host();
      if (each.kind() != HostDescription.Kind.UNKNOWN && isSilent(host)) {
        boolean replaced = led && each.kind() == HostDescription.Kind.PRIMARY;
        timer.after(
            replaced ? REPLACED_NANOS_MAX : SILENT_NANOS_MAX,
            () -> {
              if (isSilent(host)) {
                client.failCalls(host);
              }
            });
      }
    }
  }

  private boolean isSilent(HostAndPort host) {
    return description
        .host(host)
        .map(each -> each.kind() == HostDescription.Kind.UNKNOWN)
        .orElse(true);
  }

  /** Watches the hosts of the description, and no others. */
  private void followHosts() {
    watches
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = description.host(entry.getKey()).isEmpty();
              if (gone) {
                latencies.remove(entry.getKey());
                timer.after(0, entry.getValue()::stop);
              }
              return gone;
            });
    for (HostDescription each : description.hosts()) {
      if (!watches.containsKey(each.host())) {
        var watch = new Watch(each.host());
        watches.put(each.host(), watch);
        timer.after(0, watch::begin);
      }
    }
  }

  @Override
  public void close() {
    List<Waiter> ended;
    List<Watch> stopped;
    lock.lock();
    try {
      closed = true;
      ended = new ArrayList<>(waiters);
      waiters.clear();
      stopped = new ArrayList<>(watches.values());
      watches.clear();
    } finally {
      lock.unlock();
    }
    timer.close();
    stopped.forEach(Watch::stop);
    ended.forEach(waiter -> waiter.future.completeExceptionally(HostFailures.shutdown()));
  }

  /** The streams of one host, one after the other. */
  private final class Watch {
    private final HostAndPort host;
    private CompletableFuture<Void> stream; // guarded by this
    private boolean stopped; // guarded by this
    private long pauseNanos; // guarded by this
    private boolean measured; // guarded by this

    Watch(HostAndPort host) {
      this.host = host;
    }

    synchronized void begin() {
      if (stopped) {
        return;
      }
      stream = client.stream(host, hello(), this::answered);
      var unused = stream.whenComplete((done, failure) -> ended(failure));
    }

    private void answered(RawDocument reply) {
      HostDescription heard = HostDescription.of(host, reply, clock.wallMillis());
      boolean first;
      synchronized (this) {
        if (stopped) {
          return;
        }
        if (heard.kind() != HostDescription.Kind.UNKNOWN) {
          pauseNanos = 0;
        }
        first = !measured;
        measured = true;
      }
      update(heard);
      if (first) {
        measure();
      }
    }

    /** Over a connection of the pool, as the requests that the host is chosen for. */
    private void measure() {
      long start = clock.monotonicNanos();
      var unused =
          client
              .call(host, NodeRequest.admin(out -> out.appendInt32("ping", 1), GRACE))
              .whenComplete(
                  (reply, failure) -> {
                    if (failure == null) {
                      average(clock.monotonicNanos() - start);
                    }
                    timer.after(HEARTBEAT.toNanos(), this::measureAgain);
                  });
    }

    private void average(long nanos) {
      latencies.merge(
          host,
          nanos,
          (before, now) -> (long) (LATENCY_WEIGHT * now + (1 - LATENCY_WEIGHT) * before));
    }

    private void measureAgain() {
      synchronized (this) {
        if (stopped) {
          return;
        }
      }
      measure();
    }

    private void ended(Throwable failure) {
      long pause;
      synchronized (this) {
        if (stopped) {
          return;
        }
        // Without a failure the host does not stream: it is polled.
        pause = failure == null ? RETRY_NANOS_MAX : pauseNanos;
        pauseNanos = Math.min(RETRY_NANOS_MAX, Math.max(RETRY_NANOS_MIN, 2 * pauseNanos));
      }
      if (failure != null) {
        update(HostDescription.unknown(host, String.valueOf(failure.getMessage())));
      }
      timer.after(pause, this::begin);
    }

    /** Asks at once, over a new connection. */
    void restart() {
      CompletableFuture<Void> current;
      synchronized (this) {
        current = stream;
      }
      if (current != null) {
        current.cancel(true);
      }
    }

    void stop() {
      CompletableFuture<Void> current;
      synchronized (this) {
        stopped = true;
        current = stream;
      }
      if (current != null) {
        current.cancel(true);
      }
    }

    /** A version that no process has is answered at once; then the host tells of changes. */
    private NodeRequest hello() {
      var out = new BsonBuilder();
      out.appendInt32("hello", 1);
      out.startDocument("topologyVersion");
      out.appendObjectId("processId", new ObjectId(new byte[12])).appendInt64("counter", 0);
      out.end();
      out.appendInt64("maxAwaitTimeMS", HEARTBEAT.toMillis());
      return NodeRequest.of("admin", out.toDocument(), HEARTBEAT.plus(GRACE));
    }
  }
}
