package dev.wisent.conformance.fault;

import dev.wisent.testkit.Deadline;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Does one thing after another to random members, mostly the primary, and undoes it. */
public final class Faults {

  /** What can happen to a member. */
  enum Kind {
    /** Power off and on again. */
    KILL,
    /** Frozen for a while, without knowing it. */
    PAUSE,
    /** An orderly restart. */
    RESTART,
    /** No packets between it and the other members. */
    CUT_OFF
  }

  private static final int PRIMARY_PERCENT = 70;

  private final ReplicaSetProcesses set;
  private final RandomGenerator random;
  private final BooleanSupplier stop;
  private final List<Kind> kinds;
  private final List<String> log = new ArrayList<>();

  public Faults(ReplicaSetProcesses set, RandomGenerator random, BooleanSupplier stop) {
    this.set = set;
    this.random = random;
    this.stop = stop;
    List<Kind> possible = new ArrayList<>(List.of(Kind.values()));
    if (!set.cuttable()) {
      possible.remove(Kind.CUT_OFF);
    }
    this.kinds = List.copyOf(possible);
  }

  /** A fault every 3 to 10 seconds until the time is over; everything is whole when it returns. */
  public void run(Duration time) {
    Deadline end = Deadline.after(time);
    while (!end.expired() && !stop.getAsBoolean()) {
      Deadline next = Deadline.after(Duration.ofMillis(random.nextInt(3_000, 10_000)));
      strike(kinds.get(random.nextInt(kinds.size())), victim(), pause(end));
      await(next.nanoTime() < end.nanoTime() ? next : end);
    }
  }

  private Member victim() {
    Member any = set.member(random.nextInt(set.members().size()));
    return random.nextInt(100) < PRIMARY_PERCENT ? set.primary().orElse(any) : any;
  }

  /** How long the fault lasts. */
  private Deadline pause(Deadline end) {
    Deadline deadline = Deadline.after(Duration.ofMillis(random.nextInt(200, 7_000)));
    return deadline.nanoTime() < end.nanoTime() ? deadline : end;
  }

  private void strike(Kind kind, Member member, Deadline until) {
    note("%s member %d for %d ms", kind, member.id(), until.remaining().toMillis());
    switch (kind) {
      case KILL -> {
        member.kill();
        await(until);
        member.start();
      }
      case PAUSE -> {
        member.pause();
        await(until);
        member.resume();
      }
      case RESTART -> {
        int code = member.terminate();
        if (code != 0) {
          throw new AssertionError("member " + member.id() + " stopped with code " + code);
        }
        await(until);
        member.start();
      }
      case CUT_OFF -> {
        set.cutOff(member);
        await(until);
        set.heal();
      }
    }
    note("over");
  }

  private void await(Deadline deadline) {
    while (!deadline.expired() && !stop.getAsBoolean()) {
      LockSupport.parkNanos(Math.min(deadline.remainingNanos(), TimeUnit.MILLISECONDS.toNanos(50)));
    }
  }

  private void note(String format, Object... arguments) {
    log.add(
        LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS)
            + " "
            + format.formatted(arguments));
  }

  /** What was done, line by line. */
  public String history() {
    return String.join("\n", log);
  }

  public int count() {
    return log.size() / 2;
  }
}
