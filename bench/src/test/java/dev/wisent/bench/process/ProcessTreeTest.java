package dev.wisent.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares our accounting with the shell's own ({@code times}) on processes that burn CPU. */
@Timeout(180)
class ProcessTreeTest {
  private static final String BURN = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

  /** Below what the loop takes on any machine we know, far above what starting a shell takes. */
  private static final long BURN_MICROS_MIN = 30_000;

  /** Two counters rounded to hundredths for each of two processes. */
  private static final long ROUNDING_MICROS = 60_000;

  @BeforeEach
  void linux() {
    assumeTrue(ProcessTree.supported());
  }

  @Test
  void countsTheProcessItself() throws IOException {
    Shell shell = new Shell(BURN + "; times; echo done; read x");
    assertMatches(shell);
  }

  @Test
  void countsChildrenThatHaveEnded() throws IOException {
    Shell shell = new Shell("(" + BURN + "); times; echo done; read x");
    assertMatches(shell);
  }

  @Test
  void countsChildrenThatStillRun() throws IOException {
    // The child waits on the pipe that it has inherited.
    Shell shell = new Shell("sh -c '" + BURN + "; times; echo done; read x'; true");
    assertMatches(shell);
  }

  @Test
  void addsUpSeveralTrees() throws IOException {
    try (Shell one = new Shell(BURN + "; echo done; read x");
        Shell two = new Shell(BURN + "; echo done; read x")) {
      one.awaitDone();
      two.awaitDone();
      long pidOne = one.process.pid();
      long pidTwo = two.process.pid();
      long sum = new ProcessTree(pidOne).cpuMicros() + new ProcessTree(pidTwo).cpuMicros();
      ProcessTree both = new ProcessTree(List.of(pidOne, pidTwo));
      assertThat(both.cpuMicros()).isBetween(sum, sum + ROUNDING_MICROS);
      assertThat(both.alive()).isTrue();
    }
  }

  @Test
  void anIdleProcessUsesNothing() throws IOException {
    Shell shell = new Shell("echo done; read x");
    try (shell) {
      shell.awaitDone();
      ProcessTree tree = new ProcessTree(shell.process.pid());
      long before = tree.cpuMicros();
      assertThat(tree.cpuMicros() - before).isLessThan(BURN_MICROS_MIN);
      assertThat(tree.residentBytes()).isBetween(10_000L, 100_000_000L);
    }
  }

  @Test
  void aProcessThatIsGoneUsesNothing() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    ProcessTree tree = new ProcessTree(process.pid());
    assertThat(tree.alive()).isFalse();
    assertThat(tree.cpuMicros()).isZero();
  }

  @Test
  void readsCommandNamesWithSpacesAndParentheses() {
    String line = "7 (a) b (c) S 3 1 1 0 -1 0 0 0 0 0 10 20 30 40 20 0 1 0 5";
    assertThat(ProcessStat.parse(line)).isEqualTo(new ProcessStat(7, 3, 100));
  }

  private static void assertMatches(Shell shell) throws IOException {
    try (shell) {
      long reported = shell.awaitDone();
      long measured = new ProcessTree(shell.process.pid()).cpuMicros();
      assertThat(reported).isGreaterThan(BURN_MICROS_MIN);
      assertThat(measured).isBetween(reported - ROUNDING_MICROS, reported + ROUNDING_MICROS);
    }
  }

  /** A shell that prints its {@code times}, then "done", and lives until it is closed. */
  private static final class Shell implements AutoCloseable {
    private static final Pattern TIME = Pattern.compile("(\\d+)m([0-9.]+)s");

    final Process process;

    Shell(String script) throws IOException {
      this.process = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
    }

    /** Returns the sum of the times printed: own and children's, user and system. */
    long awaitDone() throws IOException {
      BufferedReader output = process.inputReader();
      double micros = 0;
      for (String line = output.readLine(); !"done".equals(line); line = output.readLine()) {
        assertThat(line).as("the shell ended early").isNotNull();
        for (Matcher time = TIME.matcher(line); time.find(); ) {
          micros += Long.parseLong(time.group(1)) * 60e6 + Double.parseDouble(time.group(2)) * 1e6;
        }
      }
      return (long) micros;
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
