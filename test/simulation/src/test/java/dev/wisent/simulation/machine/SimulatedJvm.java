package dev.wisent.simulation.machine;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

/** Prepares this JVM for simulations, once, before the classes of the product are loaded. */
public final class SimulatedJvm {
  private static Instrumentation instrumentation;
  private static Rewriting rewriting;

  private SimulatedJvm() {}

  /**
   * @param sockets has a method {@code open} for sockets
   * @param transport has a method {@code open} for what listens
   * @param log has a method {@code create} for the replicated log
   * @param stores has a method {@code open} for stores
   */
  public static synchronized void prepare(
      Class<?> sockets, Class<?> transport, Class<?> log, Class<?> stores) {
    if (instrumentation != null) {
      return;
    }
    instrumentation = SimulationAgent.attach();
    rewriting =
        new Rewriting()
            .call("java/nio/channels/SocketChannel", "open", sockets)
            .call("dev/wisent/server/transport/Transport", "open", transport)
            .call("dev/wisent/storage/StorageEngine", "open", stores)
            .create(
                "dev/wisent/replication/raft/RatisNode",
                log,
                "dev/wisent/replication/raft/RaftNode");
    openContinuations();
    instrumentation.addTransformer(rewriting, true);
    try {
      for (String name : Rewriting.WAITING) {
        rewrite(name);
      }
      for (String name : Rewriting.ORDERED) {
        rewrite(name);
      }
      replaceTimers();
    } catch (ReflectiveOperationException | UnmodifiableClassException e) {
      throw new IllegalStateException("cannot simulate in this JVM", e);
    }
  }

  private static void rewrite(String name)
      throws ReflectiveOperationException, UnmodifiableClassException {
    instrumentation.retransformClasses(Class.forName(name.replace('/', '.')));
  }

  /** Virtual threads with a scheduler of their own leave their timers in an array of queues. */
  private static void replaceTimers() throws ReflectiveOperationException {
    Field field =
        Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers").getDeclaredField("INSTANCE");
    field.setAccessible(true);
    var queues = (ScheduledExecutorService[]) field.get(null);
    Arrays.fill(queues, new TimerQueue());
  }

  /** For {@link ForgottenThread}. */
  private static void openContinuations() {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of(),
        Map.of("jdk.internal.vm", Set.of(SimulatedJvm.class.getModule())),
        Set.of(),
        Map.of());
  }

  static Rewriting rewriting() {
    return rewriting;
  }

  static Instrumentation instrumentation() {
    return instrumentation;
  }
}
