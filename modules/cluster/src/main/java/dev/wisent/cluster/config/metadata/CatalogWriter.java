package dev.wisent.cluster.config.metadata;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.time.Instant;
import java.util.List;
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
   * @param outcome what is kept of the request, see {@link KeptOutcomes}; null for nothing
   */
  public record Entry(
      String what,
      String namespace,
      RawDocument details,
      String clientAddress,
      RawDocument outcome) {
    public Entry(String what, String namespace, RawDocument details, String clientAddress) {
      this(what, namespace, details, clientAddress, null);
    }

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

  /** Runs a change, unless its request has made it before. Fails as a whole. */
  public void change(OperationContext operation, Entry entry, Consumer<CatalogChange> work) {
    run(
        operation,
        change -> {
          if (isDone(change, entry.outcome)) {
            return;
          }
          work.accept(change);
          change.insert(CHANGELOG, line(entry));
          if (entry.outcome != null) {
            change.insert(KeptOutcomes.COLLECTION, entry.outcome);
          }
        });
  }

  /** The same with any number of lines in the log. */
  public void change(
      OperationContext operation, List<Entry> entries, Consumer<CatalogChange> work) {
    run(
        operation,
        change -> {
          work.accept(change);
          change.insert(CHANGELOG, entries.stream().map(this::line).toList());
        });
  }

  private void run(OperationContext operation, Consumer<CatalogChange> work) {
    operation.acquire(lock);
    try {
      store.transaction(operation, work);
    } finally {
      lock.unlock();
    }
  }

  private static boolean isDone(CatalogChange change, RawDocument outcome) {
    return outcome != null
        && change.findOne(KeptOutcomes.COLLECTION, DocumentFields.byId(outcome.get("_id"))) != null;
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
