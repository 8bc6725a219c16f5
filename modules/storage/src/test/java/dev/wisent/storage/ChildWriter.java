package dev.wisent.storage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own whose threads write to a store, wait until each write is durable, and only then
 * report it on standard output. Killed without warning, every reported write must be there.
 */
final class ChildWriter implements AutoCloseable {
  /** Runs in the child. */
  public static final class Main {
    public static void main(String[] args) {
      // Small, so that logs are finished and written over all the time.
      Store store = Store.open(Store.options(Path.of(args[0])).withWriteBufferBytes(64 << 10));
      PrintStream out = System.out;
      for (int thread = 0; thread < Integer.parseInt(args[1]); thread++) {
        int writer = thread;
        Thread.ofPlatform().start(() -> writeForEver(store, writer, out));
      }
    }

    private static void writeForEver(Store store, int writer, PrintStream out) {
      long first = store.engine().counter(Keyspace.CATALOG, counterKey(writer));
      for (long i = first; ; i++) {
        byte[] key = RecordKeys.recordKey(writer, i);
        store
            .commit(
                changes ->
                    changes
                        .put(Keyspace.RECORDS, key, new byte[700])
                        .put(Keyspace.INDEX, key, key)
                        .add(Keyspace.CATALOG, counterKey(writer), 1))
            .awaitDurable();
        // One call, so that lines of several threads do not mix.
        byte[] line = (writer + " " + i + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(line, 0, line.length);
        out.flush();
      }
    }
  }

  static byte[] counterKey(int writer) {
    return Store.bytes("written by " + writer);
  }

  private final Process process;
  private final BufferedReader lines;

  /** The newest acknowledged write by writer. */
  private final Map<Integer, Long> newest = new HashMap<>();

  private ChildWriter(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildWriter start(Path dbPath, int threads) throws IOException {
    List<String> command = javaCommand(Main.class);
    command.add(dbPath.toString());
    command.add(Integer.toString(threads));
    return new ChildWriter(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Runs a main class of the tests in a JVM of its own. */
  static List<String> javaCommand(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    return command;
  }

  long pid() {
    return process.pid();
  }

  /** Returns when the child has reported that many writes. */
  void awaitAcknowledged(int writes) throws IOException {
    for (int i = 0; i < writes; i++) {
      String line = lines.readLine();
      if (line == null) {
        throw new IOException("the child ended");
      }
      record(line);
    }
  }

  /** Kills the child with SIGKILL and returns the newest write it had reported, by writer. */
  Map<Integer, Long> kill() throws IOException, InterruptedException {
    // The handle leaves the pipe open, unlike the process.
    process.toHandle().destroyForcibly();
    // Lines written before the kill are still in the pipe; a last one may be cut off.
    StringBuilder rest = new StringBuilder();
    try (lines) {
      for (int c = lines.read(); c >= 0; c = lines.read()) {
        rest.append((char) c);
      }
    }
    int complete = rest.lastIndexOf("\n");
    if (complete >= 0) {
      rest.substring(0, complete).lines().forEach(this::record);
    }
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IOException("the child does not die");
    }
    return newest;
  }

  private void record(String line) {
    int space = line.indexOf(' ');
    newest.put(Integer.valueOf(line.substring(0, space)), Long.valueOf(line.substring(space + 1)));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
