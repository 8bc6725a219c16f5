package dev.wisent.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import java.util.Collections;
import java.util.Date;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Time, input and output, and the process itself are reached through the seams made for them. */
class SeamsTest {
  private static final String BASE = "dev.wisent.base..";
  private static final String CLI = "dev.wisent.cli..";

  private static JavaClasses product;

  @BeforeAll
  static void importClasses() {
    product = Modules.product();
  }

  @Test
  void queryDoesNoInputOrOutput() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.wisent.query..", "dev.wisent.pipeline..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
                .and(describe("do input or output", SeamsTest::doesInputOrOutput)))
        .because("the query language is pure functions on documents")
        .check(product);
  }

  /** Interfaces of the Java language, and the exception that wraps one. */
  private static boolean doesInputOrOutput(JavaClass type) {
    return !Set.of(
            "java.io.Serializable",
            "java.io.Closeable",
            "java.io.ObjectInputStream",
            "java.io.InvalidObjectException",
            "java.io.UncheckedIOException")
        .contains(type.getName());
  }

  @Test
  void queryStartsNoThreads() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.wisent.query..", "dev.wisent.pipeline..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Thread.class, Executor.class)
        .because("the query language is pure functions on documents")
        .check(product);
  }

  @Test
  void clocksAreReadThroughBase() {
    noClasses()
        .that()
        .resideOutsideOfPackage(BASE)
        .should()
        .accessTargetWhere(readsAClock())
        .because("time comes from dev.wisent.base.Clock, so that tests can supply their own")
        .check(product);
  }

  private static DescribedPredicate<JavaAccess<?>> readsAClock() {
    Set<String> systemCalls = Set.of("currentTimeMillis", "nanoTime");
    return describe(
        "read the machine's clock",
        access -> {
          JavaClass owner = access.getTargetOwner();
          String name = access.getTarget().getName();
          boolean system = owner.isEquivalentTo(System.class) && systemCalls.contains(name);
          boolean now = owner.getPackageName().equals("java.time") && name.equals("now");
          boolean date =
              owner.isEquivalentTo(Date.class)
                  && name.equals("<init>")
                  && access.getTarget().getFullName().endsWith("<init>()");
          return system || now || date;
        });
  }

  @Test
  void chanceComesThroughBase() {
    noClasses()
        .that()
        .resideOutsideOfPackage(BASE)
        .should()
        .accessTargetWhere(describe("ask the machine for a random value", SeamsTest::asksForChance))
        .because("it comes from dev.wisent.base.RandomSource, so that a simulation can repeat it")
        .check(product);
  }

  private static boolean asksForChance(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    boolean created =
        name.equals("<init>")
            && (owner.isAssignableTo(Random.class)
                || owner.isEquivalentTo(SplittableRandom.class)
                || access.getTarget().getFullName().equals("org.bson.types.ObjectId.<init>()"));
    return created
        || owner.isEquivalentTo(ThreadLocalRandom.class)
        || owner.isEquivalentTo(RandomGeneratorFactory.class)
        || (owner.isEquivalentTo(RandomGenerator.class)
            && Set.of("of", "getDefault").contains(name))
        || (owner.isEquivalentTo(Math.class) && name.equals("random"))
        || (owner.isEquivalentTo(Collections.class) && name.equals("shuffle"))
        || (owner.isEquivalentTo(UUID.class) && name.equals("randomUUID"))
        || (owner.getFullName().equals("org.bson.types.ObjectId") && name.equals("get"));
  }

  /**
   * What puts a node or a program together: there the machine's clock and random source come in.
   */
  private static final Set<String> BOUND_TO_THE_MACHINE =
      Set.of(
          "dev.wisent.server.node.WisentServer",
          "dev.wisent.cli.ClusterProcesses",
          "dev.wisent.cli.ServerRun",
          "dev.wisent.cli.WisentMain");

  @Test
  void theMachineComesInWhereANodeIsPutTogether() {
    noClasses()
        .that()
        .resideOutsideOfPackage(BASE)
        .and(describe("are not listed", type -> !BOUND_TO_THE_MACHINE.contains(type.getName())))
        .should()
        .callMethod(Clock.class, "system")
        .orShould()
        .callMethod(RandomSource.class, "system")
        .because("a simulation has to supply them: take Clock and RandomSource as parameters")
        .check(product);
  }

  @Test
  void theListOfThoseBoundToTheMachineOnlyGetsShorter() {
    assertThat(BOUND_TO_THE_MACHINE)
        .as("classes listed as bound to the machine that are not any more: remove them")
        .allMatch(name -> accesses(name, SeamsTest::bindsTheMachine));
    assertThat(OWN_THREADS)
        .as("classes listed as starting threads that do not any more: remove them")
        .allMatch(name -> accesses(name, startsAThread()));
  }

  private static boolean bindsTheMachine(JavaAccess<?> access) {
    return access.getTarget().getName().equals("system")
        && access.getTargetOwner().getPackageName().equals("dev.wisent.base");
  }

  private static boolean accesses(String name, Predicate<JavaAccess<?>> predicate) {
    return product.contain(name)
        && product.get(name).getAccessesFromSelf().stream().anyMatch(predicate);
  }

  @Test
  void theProductIsNotSimulated() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.wisent.base.simulation..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.wisent.base.simulation..")
        .because("simulated time is for tests")
        .check(product);
  }

  @Test
  void nothingSleeps() {
    noClasses()
        .should()
        .accessTargetWhere(
            describe(
                "sleep",
                access ->
                    access.getName().equals("sleep")
                        && (access.getTargetOwner().isEquivalentTo(Thread.class)
                            || access.getTargetOwner().isEquivalentTo(TimeUnit.class))))
        .because("waiting has a condition and a deadline: use a lock, a latch or a scheduler")
        .check(product);
  }

  /**
   * What starts threads of its own. Those of the transport and the command line are outside of what
   * is simulated; the others are left, and go to the Scheduler. No class is added to them.
   */
  private static final Set<String> OWN_THREADS =
      Set.of(
          "dev.wisent.server.transport.TransportThreads",
          "dev.wisent.server.node.WisentServer", // the shutdown, which outlives the loops
          "dev.wisent.cli.ServerStart$Running",
          "dev.wisent.cli.TrainingRun",
          "dev.wisent.cluster.embedded.Together", // waits for its threads, and throws what they do
          // left
          "dev.wisent.database.collection.LeadershipState",
          "dev.wisent.storage.AppliedMark",
          "dev.wisent.wire.client.PooledNodeClient",
          "dev.wisent.replication.member.Coordination");

  @Test
  void loopsRunInTheBackgroundLoops() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.wisent.base.loop..")
        .and(describe("are not listed here", type -> !OWN_THREADS.contains(type.getName())))
        .should()
        .accessTargetWhere(startsAThread())
        .because("one exception would end it silently: use Scheduler or BackgroundLoops of base")
        .check(product);
  }

  @Test
  void nothingIsScheduledBesideTheScheduler() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.wisent.base.loop..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ScheduledExecutorService.class, Timer.class)
        .because("one exception would end it silently: use dev.wisent.base.Scheduler")
        .check(product);
  }

  private static DescribedPredicate<JavaAccess<?>> startsAThread() {
    Set<String> ofThread = Set.of("<init>", "ofPlatform", "ofVirtual", "startVirtualThread");
    return describe(
        "start a thread",
        access -> {
          JavaClass owner = access.getTargetOwner();
          String name = access.getTarget().getName();
          return (owner.isAssignableTo(Thread.class) && ofThread.contains(name))
              || owner.isEquivalentTo(Executors.class)
              || owner.isAssignableTo(ForkJoinPool.class)
              || name.equals("parallelStream")
              || (owner.isEquivalentTo(CompletableFuture.class) && isTimedOrAsync(access))
              || (owner.isAssignableTo(ExecutorService.class) && name.equals("<init>"));
        });
  }

  /** On the JDK's threads: after a time, or {@code Async} without an executor. */
  private static boolean isTimedOrAsync(JavaAccess<?> access) {
    String name = access.getTarget().getName();
    return Set.of("delayedExecutor", "orTimeout", "completeOnTimeout").contains(name)
        || (name.endsWith("Async")
            && !access.getTarget().getFullName().contains("java.util.concurrent.Executor"));
  }

  @Test
  void onlyTheCommandLineEndsTheProcess() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CLI)
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .because("a server may be embedded in another process")
        .check(product);
  }

  @Test
  void onlyTheLogAndTheCommandLinePrint() {
    noClasses()
        .that()
        .resideOutsideOfPackages(CLI, "dev.wisent.base.log..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .accessTargetWhere(
            describe(
                "print a stack trace",
                access ->
                    access.getName().equals("printStackTrace")
                        && access.getTargetOwner().isAssignableTo(Throwable.class)))
        .because("an embedded server is silent unless its log is not: use dev.wisent.base.log.Log")
        .check(product);
  }
}
