package dev.wisent.conformance.pages;

import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.NodeScript;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** One {@code mongosh} for all pages: its start takes longer than most pages. */
final class MongoshSession implements AutoCloseable {
  static final String VERSION = "2.12.0";

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String RAN = "\u0001ran\n";
  private static final String FAILED = "\u0001failed\n";

  private final Path directory;
  private final Path out;
  private final Process process;
  private int files;
  private int read; // characters of the output

  private MongoshSession(Path directory, Path out, Process process) {
    this.directory = directory;
    this.out = out;
    this.process = process;
  }

  /** Starts it, or skips the test where there is none. */
  static MongoshSession start(NodePackages packages, Path modules, Path directory)
      throws IOException {
    Path script = directory.resolve("session.js");
    try (InputStream in = MongoshSession.class.getResourceAsStream("session.js")) {
      Files.copy(in, script);
    }
    NodeScript mongosh =
        packages.mongosh(modules, directory.resolve("home"), "--nodb", script.toString());
    Path out = directory.resolve("session.out");
    ProcessBuilder builder =
        new ProcessBuilder(mongosh.command())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().putAll(mongosh.environment());
    return new MongoshSession(directory, out, builder.start());
  }

  /** What comes next is typed into a shell that was started with a connection string. */
  void connect(String uri) throws IOException {
    Printed printed = run("db = connect('" + uri + "')\n");
    if (printed.failed()) {
      throw new AssertionError(printed.text());
    }
  }

  Printed run(String code) throws IOException {
    Path unfinished = Files.writeString(directory.resolve("unfinished"), code);
    Files.move(unfinished, directory.resolve(files++ + ".js"), StandardCopyOption.ATOMIC_MOVE);
    Eventually.holds(
        "mongosh has run:\n" + code, PATIENCE, () -> ended(news()) || !process.isAlive());
    String news = news();
    if (!ended(news)) {
      throw new AssertionError("mongosh has ended\n" + news);
    }
    read += news.length();
    String end = news.endsWith(FAILED) ? FAILED : RAN;
    return new Printed(news.substring(0, news.length() - end.length()), news.endsWith(FAILED));
  }

  private static boolean ended(String news) {
    return news.endsWith(RAN) || news.endsWith(FAILED);
  }

  private String news() throws IOException {
    // A character of several bytes may be there in part, and then the end is not.
    String all = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
    return all.substring(Math.min(read, all.length()));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
