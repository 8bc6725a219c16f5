package dev.wisent.base.log;

import dev.wisent.base.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;

/** The log of one server: where its lines go, how much it says, and what it said last. */
public final class ServerLog implements AutoCloseable {
  private final LogSink sink;
  private final Clock clock;
  private final ZoneId zone;
  private final LogFormat format;
  private final LogLevels levels = new LogLevels();
  private final LogHistory history = new LogHistory();

  /** Usually empty, and then checked without boxing an id. */
  private volatile Set<Integer> muted = Set.of();

  private volatile boolean redacts;

  /** What is rotated with the log, such as an audit log. */
  private volatile LogSink companion = LogSink.silent();

  /** A log that stamps lines with the machine's time zone, as {@code mongod} does. */
  public ServerLog(LogSink sink, Clock clock) {
    this(sink, clock, ZoneId.systemDefault(), LogFormat.JSON);
  }

  /** A log in the machine's time zone whose sink gets lines of the given format. */
  public ServerLog(LogSink sink, Clock clock, LogFormat format) {
    this(sink, clock, ZoneId.systemDefault(), format);
  }

  /** A log that stamps lines in the given zone. The log owns the sink from here on. */
  ServerLog(LogSink sink, Clock clock, ZoneId zone, LogFormat format) {
    this.sink = sink;
    this.clock = clock;
    this.zone = zone;
    this.format = format;
  }

  /** A log that writes nowhere; {@code getLog} still answers. For embedded servers and tests. */
  public static ServerLog silent() {
    return new ServerLog(LogSink.silent(), Clock.system());
  }

  /** A log on the process's standard output. */
  public static ServerLog standardOutput() {
    return new ServerLog(StreamLogSink.standardOutput(), Clock.system());
  }

  /** The log as one component sees it. */
  public Log of(LogComponent component) {
    return new Log(this, component, null);
  }

  public LogLevels levels() {
    return levels;
  }

  public LogHistory history() {
    return history;
  }

  /** From now on leaves out information (not warnings and errors) with these numbers. */
  public void mute(Set<Integer> ids) {
    muted = Set.copyOf(ids);
  }

  /** Whether information with these numbers is left out. */
  public boolean mutes(Set<Integer> ids) {
    return muted.containsAll(ids);
  }

  /** The parameter {@code redactClientLogData}: whether lines have no values of clients. */
  public boolean redacts() {
    return redacts;
  }

  public void redact(boolean on) {
    redacts = on;
  }

  /** From now on rotates this with the log; nothing is written to it. */
  public void companion(LogSink rotated) {
    companion = rotated;
  }

  /** Rotates the log and what goes with it. See {@link LogSink#rotate}. */
  public Optional<Path> rotate() throws IOException {
    Optional<Path> aside = rotateAlone();
    companion.rotate();
    return aside;
  }

  /** Rotates the log alone. */
  public Optional<Path> rotateAlone() throws IOException {
    return sink.rotate();
  }

  @Override
  public void close() {
    sink.close();
  }

  /** Formats an event and writes it. */
  void write(LogEvent given) {
    LogEvent event = redacts ? Redaction.of(given) : given;
    Set<Integer> silenced = muted;
    if (!silenced.isEmpty()
        && event.severity() == LogSeverity.INFO
        && silenced.contains(event.id())) {
      return;
    }
    long now = clock.wallMillis();
    String line = LogLine.format(event, now, zone);
    history.add(line, event.startupWarning());
    sink.write(
        switch (format) {
          case JSON -> line;
          case TEXT -> TextLine.format(event, now, zone);
        });
  }
}
