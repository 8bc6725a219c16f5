package dev.wisent.tools.migrate;

import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/** How far the target is behind: a line on a terminal, a message now and then elsewhere. */
final class FollowProgress implements AutoCloseable {
  private static final Duration LOOKED_EVERY = Duration.ofSeconds(1);
  private static final Duration SAID_EVERY = Duration.ofSeconds(10);

  private final Deployment source;
  private final Surroundings surroundings;
  private final Messages messages;
  private long lookedNanos;
  private long saidNanos;
  private boolean looked;
  private boolean written;
  private boolean caughtUp;
  private boolean compared;
  private boolean comparing;

  FollowProgress(Deployment source, Surroundings surroundings, Messages messages) {
    this.source = source;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  /** Returns whether nothing was missing when the source was last asked. */
  boolean update(long events, BsonDocument token) throws ToolException {
    long now = surroundings.clock().monotonicNanos();
    if (looked && now - lookedNanos < LOOKED_EVERY.toNanos()) {
      return caughtUp;
    }
    BsonTimestamp end = Attempts.untilAnswered(surroundings, () -> SourceTime.now(source));
    int behind = Math.max(0, end.getTime() - SourceTime.of(token).getTime());
    if (!looked) {
      messages.say("following the source");
    }
    boolean due = !looked || now - saidNanos >= SAID_EVERY.toNanos();
    String line = "%d change(s) applied, %d s behind".formatted(events, behind);
    if (surroundings.terminal() && !messages.isQuiet()) {
      surroundings.err().print("\r" + line + "   ");
      surroundings.err().flush();
      written = true;
    } else if (due) {
      messages.say(line);
      saidNanos = now;
    }
    looked = true;
    lookedNanos = now;
    caughtUp = behind == 0;
    return caughtUp;
  }

  /** Says why the end does not begin yet, once. */
  void sayComparing() {
    if (!comparing) {
      comparing = true;
      say("the end begins when both sides have been compared");
    }
  }

  /** Says that little is left for the end, once. */
  void sayCompared() {
    if (!compared) {
      compared = true;
      say(
          surroundings.terminal()
              ? "ready to finish: stop the source's writers, then press Enter"
              : "ready to finish: stop the source's writers, then run 'wisent migrate --finish'");
    }
  }

  /** A message on a line of its own. */
  void say(String message) {
    close();
    messages.say(message);
  }

  @Override
  public void close() {
    if (written) {
      surroundings.err().println();
      written = false;
    }
  }
}
