package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/**
 * Applies the changes of the source. What a batch has touched is brought in line first and the
 * place in the stream stored after it, so that a run that is killed in between repeats the batch.
 * For one thread.
 */
final class Follower implements AutoCloseable {
  private static final int FAILURES_MAX = 40;
  private static final int RETRY_MILLIS = 500;
  private static final Duration STORED_EVERY = Duration.ofSeconds(1);

  private final Deployment source;
  private final MigrationState state;
  private final CatalogSync catalog;
  private final Copier copier;
  private final KeyedRefresh refresh;
  private final Verification verification;
  private final Surroundings surroundings;
  private final Messages messages;
  private final FollowProgress progress;

  private BsonDocument token;
  private ChangeReader reader;
  private boolean finishing;
  private long storedNanos;
  private long events;
  private long eventsOfMoved;
  private long wishedNanos;

  Follower(
      Deployment source,
      MigrationState state,
      CatalogSync catalog,
      Copier copier,
      KeyedRefresh refresh,
      Verification verification,
      BsonDocument token,
      Surroundings surroundings,
      Messages messages) {
    this.source = source;
    this.state = state;
    this.catalog = catalog;
    this.copier = copier;
    this.refresh = refresh;
    this.verification = verification;
    this.token = token;
    this.surroundings = surroundings;
    this.messages = messages;
    this.progress = new FollowProgress(source, surroundings, messages);
    if (state.isFinishing()) {
      wish();
    }
  }

  /**
   * Applies changes until it is asked to finish, and compares meanwhile. Nothing is left to read at
   * the end but what has changed since.
   */
  void follow(boolean finishWhenCaughtUp) throws ToolException {
    var signal = new FinishSignal(surroundings);
    while (!finishing || !verification.isAhead()) {
      ChangeBatch batch = next();
      boolean caughtUp = progress.update(events, token) && batch.isEmpty();
      if (caughtUp || finishing) {
        verification.start();
      }
      if (batch.isEmpty() || verification.isDue()) {
        verification.compareSuspects();
      }
      boolean ahead = verification.isAhead();
      if (!finishing && ahead) {
        progress.sayCompared();
      } else if (finishing && !ahead) {
        progress.sayComparing();
      }
      if (!finishing && (signal.isGiven() || (finishWhenCaughtUp && caughtUp && ahead))) {
        state.finish();
        wish();
      }
    }
    progress.close();
  }

  private void wish() {
    if (!finishing) {
      finishing = true;
      wishedNanos = surroundings.clock().monotonicNanos();
      progress.say("finishing");
    }
  }

  /** When this process was asked to finish, by the monotonic clock. */
  long wishedNanos() {
    return wishedNanos;
  }

  /**
   * Applies all changes that the source has made before this call.
   *
   * @return how many of those were of what is moved
   */
  long drain() throws ToolException {
    long before = eventsOfMoved;
    BsonTimestamp end = Attempts.untilAnswered(surroundings, () -> SourceTime.now(source));
    while (true) {
      ChangeBatch batch = next();
      if (verification.isDue()) {
        verification.compareSuspects();
      }
      int order = SourceTime.of(token).compareTo(end);
      boolean unknown = SourceTime.of(token).getTime() == 0;
      // A place at the time itself may be between two events of that time.
      if (order > 0 || (batch.isEmpty() && (order == 0 || unknown))) {
        return eventsOfMoved - before;
      }
    }
  }

  /** The next batch, after it is applied. Another primary of either side is waited for. */
  private ChangeBatch next() throws ToolException {
    for (int failures = 1; ; failures++) {
      surroundings.interruption().check();
      try {
        if (reader == null) {
          reader = ChangeReader.open(source, token);
        }
        ChangeBatch batch = reader.read();
        apply(batch);
        return batch;
      } catch (MongoException e) {
        close();
        if (failures == FAILURES_MAX || !Attempts.isTransient(e)) {
          throw Deployment.failure("cannot apply changes", e);
        }
        messages.say(1, "trying again: " + e.getMessage());
        surroundings.interruption().await(RETRY_MILLIS);
      }
    }
  }

  /** Collections that are new are moved only after a batch, others until then. */
  private void note(ChangeBatch batch, Set<BsonBinary> movedBefore) {
    eventsOfMoved += batch.ofNoCollection();
    batch
        .counts()
        .forEach(
            (uuid, count) -> {
              if (movedBefore.contains(uuid) || catalog.find(uuid).isPresent()) {
                eventsOfMoved += count;
              }
            });
  }

  private void apply(ChangeBatch batch) throws ToolException {
    Set<BsonBinary> movedBefore = new HashSet<>(batch.counts().keySet());
    movedBefore.removeIf(uuid -> catalog.find(uuid).isEmpty());
    if (batch.hasDefinitions() || copier.mayBeNew(batch.documents().keySet())) {
      copier.sync(batch.defined());
    }
    refresh.refresh(batch.documents(), batch.time());
    verification.applied(batch);
    note(batch, movedBefore);
    boolean moved = batch.token() != null && !batch.token().equals(token);
    long now = surroundings.clock().monotonicNanos();
    boolean due = now - storedNanos >= STORED_EVERY.toNanos();
    if (!batch.isEmpty()) {
      messages.say(2, "applied a batch of " + batch.events() + " change(s)");
    }
    if (!batch.isEmpty() || due) {
      boolean wished = moved ? state.token(batch.token()) : state.isFinishing();
      if (wished) {
        wish();
      }
      storedNanos = now;
    }
    if (moved) {
      token = batch.token();
    }
    events += batch.events();
  }

  long events() {
    return events;
  }

  @Override
  public void close() {
    if (reader != null) {
      try {
        reader.close();
      } catch (MongoException e) {
        messages.say(1, "cannot close the change stream: " + e.getMessage());
      }
      reader = null;
    }
  }
}
