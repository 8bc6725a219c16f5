package dev.wisent.bench.target;

import dev.wisent.bench.process.ChildProcess;
import dev.wisent.bench.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server in a child process, from its start until it answers and on to its end. */
final class ServerProcess implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

  private final ChildProcess process;
  private final long startNanos;
  private long startMillis;

  /** Asks the server for a sign of life; throws as long as there is none. */
  interface Attempt<T> {
    T run() throws IOException;
  }

  private ServerProcess(ChildProcess process, long startNanos) {
    this.process = process;
    this.startNanos = startNanos;
  }

  static ServerProcess start(List<String> command, Path directory, ChildProcess.StopSignal stop)
      throws IOException {
    long before = System.nanoTime();
    return new ServerProcess(ChildProcess.start(command, directory, stop), before);
  }

  /** Tries until the server answers, dies, or has had its time since the start. */
  <T> T awaitAnswer(Duration timeout, Attempt<T> attempt) throws Exception {
    IOException last = null;
    while (System.nanoTime() - startNanos < timeout.toNanos()) {
      if (!process.alive()) {
        throw new IOException("did not start: " + process.obituary());
      }
      try {
        T answer = attempt.run();
        startMillis = (System.nanoTime() - startNanos) / 1_000_000;
        return answer;
      } catch (IOException notYet) {
        last = notYet;
        Thread.sleep(POLL_INTERVAL);
      }
    }
    throw new IOException(
        "no answer in %s (%s); %s".formatted(timeout, last, process.obituary()), last);
  }

  /** How long it took until the first answer. */
  long startMillis() {
    return startMillis;
  }

  Optional<ProcessTree> tree() {
    return ProcessTree.supported() ? Optional.of(new ProcessTree(process.pid())) : Optional.empty();
  }

  long pid() {
    return process.pid();
  }

  /** Takes its power away. */
  void kill() {
    process.kill();
  }

  /** How it ended; empty while it runs. */
  Optional<String> death() {
    return process.alive() ? Optional.empty() : Optional.of(process.obituary());
  }

  @Override
  public void close() {
    process.close();
  }
}
