package dev.wisent.cluster.config.metadata;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Changes metadata: each change is one transaction, with a line in {@code config.changelog}. One
 * change runs at a time, so that what it reads cannot change before it commits. A primary that has
 * lost its term cannot commit. Thread-safe.
 */
public final class CatalogWriter {
  private static final String CHANGELOG = "changelog";

  private final CatalogStore store;
  private final Supplier<String> self;
  private final ObjectIds ids;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * What a change is, for the log.
   *
   * @param what such as {@code split} or {@code shardCollection.end}
   * @param namespace a database or collection; empty for the cluster
   * @param clientAddress of who asked for it; empty for what the server does by itself
   */
  public record Entry(String what, String namespace, RawDocument details, String clientAddress) {
    public Entry(String what, String namespace, RawDocument details) {
      this(what, namespace, details, "");
    }
  }

  /**
   * @param self this member's {@code host:port}
   */
  public CatalogWriter(CatalogStore store, Supplier<String> self, ObjectIds ids, Clock clock) {
    this.store = store;
    this.self = self;
    this.ids = ids;
    this.clock = clock;
  }

  /** Runs a change. Fails as a whole. */
  public void change(OperationContext operation, Entry entry, Consumer<CatalogChange> work) {
    operation.acquire(lock);
    try {
      store.transaction(
          operation,
          change -> {
            work.accept(change);
            change.insert(CHANGELOG, line(entry));
          });
    } finally {
      lock.unlock();
    }
  }

  private RawDocument line(Entry entry) {
    String server = String.valueOf(self.get());
    long now = clock.wallMillis();
    return new BsonBuilder()
        .appendString("_id", server + "-" + Instant.ofEpochMilli(now) + "-" + ids.get())
        .appendString("server", server)
        .appendString("shard", CatalogStore.DATABASE)
        .appendString("clientAddr", entry.clientAddress())
        .appendDate("time", now)
        .appendString("what", entry.what())
        .appendString("ns", entry.namespace())
        .appendDocument("details", entry.details())
        .toDocument();
  }
}
