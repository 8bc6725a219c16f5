package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.util.List;
import org.bson.BsonDocument;

/**
 * Notes which documents change while everything is copied, so that the source need not keep its
 * changes for as long as that takes. One thread of its own.
 */
final class CopyNotes {
  private static final int FAILURES_MAX = 40;
  private static final int RETRY_MILLIS = 500;

  private final Deployment source;
  private final CatalogSync catalog;
  private final MigrationState state;
  private final TouchedKeys touched;
  private final Surroundings surroundings;
  private BsonDocument token; // of the thread
  private volatile boolean stopped;
  private Workers workers;

  CopyNotes(
      Deployment source,
      CatalogSync catalog,
      MigrationState state,
      TouchedKeys touched,
      BsonDocument token,
      Surroundings surroundings) {
    this.source = source;
    this.catalog = catalog;
    this.state = state;
    this.touched = touched;
    this.token = token;
    this.surroundings = surroundings;
  }

  void start() {
    workers = Workers.start(surroundings.scheduler(), "notes", 1, List.of(this::note));
  }

  /** Waits for the batch under way, and throws what has gone wrong. */
  void stop() throws ToolException {
    stopped = true;
    workers.join();
  }

  /** The copy ends at its next write if this ends. */
  private void note() throws ToolException {
    try {
      read();
    } catch (ToolException | RuntimeException e) {
      state.fence().fail(e);
      throw e;
    }
  }

  private void read() throws ToolException {
    int failures = 0;
    while (!stopped) {
      try (var reader = ChangeReader.open(source, token)) {
        while (!stopped) {
          ChangeBatch batch = reader.read();
          note(batch);
          failures = 0;
        }
      } catch (MongoException e) {
        failures++;
        if (failures == FAILURES_MAX || !Attempts.isTransient(e)) {
          throw Deployment.failure("cannot note changes", e);
        }
        surroundings.interruption().await(RETRY_MILLIS);
      }
    }
  }

  private void note(ChangeBatch batch) throws ToolException {
    if (batch.token() == null || batch.token().equals(token)) {
      return;
    }
    // The documents of a collection that is not known as yet are read after this, if it is moved.
    batch.documents().keySet().removeIf(uuid -> catalog.find(uuid).isEmpty());
    touched.add(batch.documents());
    state.token(batch.token());
    token = batch.token();
  }
}
