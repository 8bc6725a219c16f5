package dev.wisent.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Date;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
  void nobodySleeps() {
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
   * What starts threads of its own: those of connections, tasks that end by themselves, and
   * executors whose tasks are guarded one by one.
   */
  private static final Set<String> OWN_THREADS =
      Set.of(
          "dev.wisent.server.transport.TransportThreads",
          "dev.wisent.server.WisentServer",
          "dev.wisent.cli.ServerStart$Running",
          "dev.wisent.cli.TrainingRun",
          "dev.wisent.database.collection.LeadershipState",
          "dev.wisent.storage.AppliedMark",
          "dev.wisent.server.command.crud.PrimaryForwarding",
          "dev.wisent.wire.client.PooledNodeClient",
          "dev.wisent.replication.member.Coordination",
          "dev.wisent.replication.raft.PriorityTakeover",
          "dev.wisent.replication.raft.RatisSession",
          "dev.wisent.replication.raft.Nudges");

  @Test
  void loopsRunInTheBackgroundLoops() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.wisent.base.loop..")
        .and(describe("are not listed here", type -> !OWN_THREADS.contains(type.getName())))
        .should()
        .accessTargetWhere(startsAThread())
        .because("one exception would end it silently: use dev.wisent.base.loop.BackgroundLoops")
        .check(product);
  }

  @Test
  void nothingIsScheduled() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ScheduledExecutorService.class, Timer.class)
        .because("one exception would end it silently: use dev.wisent.base.loop.BackgroundLoops")
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
              || (owner.isAssignableTo(ExecutorService.class) && name.equals("<init>"));
        });
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
        .because("a server may be embedded in somebody else's process")
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
