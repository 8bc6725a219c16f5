package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.session.ChangedSessions;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What sessions have done, for the shards that documents go to: first all of it, then what has
 * changed since. Used by one thread at a time.
 */
public final class SessionFeed implements AutoCloseable {
  public static final int BATCH_RECORDS_MAX = 1_000;
  public static final int BATCH_BYTES_MAX = 4 << 20;

  private final SessionCopies sessions;
  private final ChangedSessions changed;

  /** Notes from now on which sessions change. */
  public SessionFeed(SessionCopies sessions) {
    this.sessions = sessions;
    this.changed = sessions.watch();
  }

  /**
   * @param send may not keep the list
   */
  public void sendAll(OperationContext operation, Consumer<List<RawDocument>> send) {
    send(send, consumer -> sessions.forEach(operation, consumer));
  }

  /** Those that have changed since the last time; after a failure they are sent again. */
  public void sendChanged(OperationContext operation, Consumer<List<RawDocument>> send) {
    Set<SessionId> taken = changed.take();
    try {
      send(send, consumer -> sessions.forEach(taken, operation, consumer));
    } catch (RuntimeException e) {
      changed.putBack(taken);
      throw e;
    }
  }

  private static void send(
      Consumer<List<RawDocument>> send, Consumer<Consumer<RawDocument>> copies) {
    var batch = new ArrayList<RawDocument>();
    long[] bytes = {0};
    copies.accept(
        copy -> {
          batch.add(copy);
          bytes[0] += copy.length();
          if (batch.size() == BATCH_RECORDS_MAX || bytes[0] >= BATCH_BYTES_MAX) {
            send.accept(batch);
            batch.clear();
            bytes[0] = 0;
          }
        });
    if (!batch.isEmpty()) {
      send.accept(batch);
    }
  }

  @Override
  public void close() {
    changed.close();
  }
}
