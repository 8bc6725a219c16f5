package dev.wisent.simulation.network;

import dev.wisent.base.RandomSource;
import dev.wisent.simulation.machine.Host;
import dev.wisent.simulation.machine.Machine;
import dev.wisent.wire.OpMsg;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The connections between simulated processes: bytes come in their order and late, connections
 * break before or after what was sent has come, and hosts do not reach each other for a while.
 */
public final class Network {
  private static volatile Network current;

  private static final long LATENCY_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Fields that are watched come early in a message. */
  private static final int WATCHED_BYTES_MAX = 80;

  private final Machine machine;
  private final RandomSource random;
  private final Map<Integer, SimulatedTransport> listening = new HashMap<>();
  private final List<Link> links = new ArrayList<>();
  private Faults faults = Faults.NONE;
  private Host cutOff;
  private Consumer<String> trace;
  private byte[] watched;
  private Consumer<Host> watcher;

  public Network(Machine machine) {
    this.machine = machine;
    this.random = RandomSource.seeded(machine.random().nextLong());
    current = this;
  }

  static Network current() {
    return current;
  }

  Machine machine() {
    return machine;
  }

  public void faults(Faults newFaults) {
    faults = newFaults;
  }

  /** A host that reaches no other one, and is not reached; null ends that. */
  public void cutOff(Host host) {
    cutOff = host;
    if (host != null) {
      for (Link link : List.copyOf(links)) {
        if (link.client() == host || link.server() == host) {
          link.cut(delay());
        }
      }
    }
  }

  /** Tells of each message, to find out what has happened. */
  public void trace(Consumer<String> to) {
    trace = to;
  }

  /** Tells which hosts send messages with a field of this name. */
  public void watch(String field, Consumer<Host> sender) {
    watched = field.getBytes(StandardCharsets.UTF_8);
    watcher = sender;
  }

  private boolean isWatched(byte[] bytes) {
    int last = Math.min(bytes.length, WATCHED_BYTES_MAX) - watched.length;
    for (int i = 0; i <= last; i++) {
      if (Arrays.equals(bytes, i, i + watched.length, watched, 0, watched.length)) {
        return true;
      }
    }
    return false;
  }

  void sent(Host from, Host to, byte[] bytes, Fate fate) {
    if (watched != null && isWatched(bytes)) {
      watcher.accept(from);
    }
    if (trace == null) {
      return;
    }
    String text;
    try {
      text = OpMsg.parse(bytes, bytes.length).body().toJson();
    } catch (RuntimeException e) {
      text = bytes.length + " bytes";
    }
    trace.accept(machine.nowNanos() + " " + from + " -> " + to + " " + fate + " " + text);
  }

  void listen(SimulatedTransport transport, int port) {
    listening.put(port, transport);
  }

  void stopListening(SimulatedTransport transport) {
    listening.values().removeIf(each -> each == transport);
  }

  boolean isListening(int port) {
    return listening.containsKey(port);
  }

  /** Connects, or returns null if the host cannot be reached. */
  Link connect(Host client, int port) {
    SimulatedTransport transport = listening.get(port);
    if (transport == null
        || transport.host().isDead()
        || client == cutOff
        || transport.host() == cutOff) {
      return null;
    }
    var link = new Link(this, client, transport.host());
    links.add(link);
    transport.accept(link);
    return link;
  }

  void ended(Link link) {
    links.remove(link);
  }

  /** All its connections break when a process has died; what it sent may still come. */
  public void died(Host host) {
    listening.values().removeIf(transport -> transport.host() == host);
    for (Link link : List.copyOf(links)) {
      if (link.client() == host || link.server() == host) {
        link.cut(delay());
      }
    }
  }

  /** How long the next bytes are on their way. */
  long delay() {
    long latency = 1 + random.nextLong(LATENCY_NANOS);
    return faults.isLate(random) ? latency + random.nextLong(faults.lateNanosMax()) : latency;
  }

  Fate fate() {
    return faults.fate(random);
  }

  /** What becomes of bytes that are sent. */
  enum Fate {
    ARRIVE,
    /** The connection breaks, and they do not come. */
    BREAK_BEFORE,
    /** They come, and then the connection breaks. */
    BREAK_AFTER
  }

  /**
   * How often connections are late or break.
   *
   * @param latePerMillion of the messages
   * @param breaksPerMillion of the messages
   */
  public record Faults(int latePerMillion, long lateNanosMax, int breaksPerMillion) {
    public static final Faults NONE = new Faults(0, 1, 0);

    private boolean isLate(RandomSource random) {
      return latePerMillion > 0 && random.nextInt(1_000_000) < latePerMillion;
    }

    private Fate fate(RandomSource random) {
      if (breaksPerMillion == 0 || random.nextInt(1_000_000) >= breaksPerMillion) {
        return Fate.ARRIVE;
      }
      return random.nextBoolean() ? Fate.BREAK_BEFORE : Fate.BREAK_AFTER;
    }
  }
}
