package dev.wisent.cli;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.server.access.MemberConnections;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** All processes of a local cluster: waits for what they become, and ends them. */
final class ClusterProcesses {
  private static final long START_SECONDS_MAX = 120;
  private static final long POLL_MILLIS = 100;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<ClusterProcess> all = new ArrayList<>();
  private final int share;
  private final MemberConnections members;

  /**
   * Of no process yet.
   *
   * @param share how many share this machine's memory
   * @param security by which they are called
   */
  ClusterProcesses(int share, ClusterSecurity security) throws StartException {
    this.share = share;
    this.members = security.connections(RandomSource.system());
  }

  /** Starts one more, with its log in the directory. */
  ClusterProcess start(Program program, Path directory, int port, List<String> own)
      throws IOException {
    ClusterProcess process = ClusterProcess.start(program, directory, port, own, share, members);
    all.add(process);
    return process;
  }

  List<ClusterProcess> all() {
    return all;
  }

  /** Asks for the end of the cluster; from any thread. */
  void stop() {
    stop.countDown();
  }

  boolean stopped() {
    return stop.getCount() == 0;
  }

  /** Returns when the condition holds, or it was asked to stop; fails when a process has ended. */
  void await(String what, BooleanSupplier condition) throws StartException {
    Clock clock = Clock.system();
    long deadline = clock.monotonicNanos() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!stopped() && !condition.getAsBoolean()) {
      for (ClusterProcess process : all) {
        if (!process.alive()) {
          throw new StartException(
              ExitCode.ABRUPT,
              "%s ended with code %d; its log is %s"
                  .formatted(process.address(), process.exitCode(), process.log()));
        }
      }
      if (clock.monotonicNanos() > deadline) {
        throw new StartException(
            ExitCode.ABRUPT, "no " + what + " within " + START_SECONDS_MAX + " s" + failures());
      }
      pause();
    }
  }

  private String failures() {
    return all.stream()
        .map(ClusterProcess::failure)
        .filter(failure -> !failure.isEmpty())
        .map(failure -> "; " + failure)
        .collect(Collectors.joining());
  }

  void pause() {
    try {
      stop.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // The interrupt asks this thread to end, and with it the cluster.
      Thread.currentThread().interrupt();
      stop.countDown();
    }
  }

  /** Ends all processes. */
  void end() {
    all.forEach(ClusterProcess::requestStop);
    all.forEach(ClusterProcess::awaitEnd);
  }
}
