package dev.wisent.database.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.changestream.SharedTail;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.OplogKeys;
import dev.wisent.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The oplog as a collection: capped, without indexes, its record ids are timestamps. Clients do not
 * write to it but the log, and what is stored tells how large it is.
 */
public final class Oplog implements SharedTail.Growth {
  public static final Namespace NAMESPACE = new Namespace("local", "oplog.rs");

  /** Collections have greater ones. */
  private static final int IDENT = 0;

  private final StorageEngine storage;
  private volatile Collection collection;
  private volatile OplogLimits initial = OplogLimits.DEFAULT;
  private final AtomicLong awaited = new AtomicLong();

  Oplog(StorageEngine storage) {
    this.storage = storage;
  }

  /** The collection for what the store has now; one that was opened before ends. */
  Collection open(Catalog catalog, RecordCache recordCache) {
    var opened = new Collection(catalog.state(definition(), List.of()), recordCache, this);
    collection = opened;
    return opened;
  }

  /** Its limits until some are set. */
  public void initialLimits(OplogLimits limits) {
    initial = limits;
  }

  public OplogLimits limits() {
    byte[] stored = storage.get(Keyspace.SYSTEM, OplogKeys.limits());
    return stored == null ? initial : OplogLimits.decode(RawDocument.of(stored));
  }

  /** Whether limits were set. */
  public boolean hasStoredLimits() {
    return storage.get(Keyspace.SYSTEM, OplogKeys.limits()) != null;
  }

  public Collection collection() {
    return collection;
  }

  @Override
  public long version() {
    return collection.tail().version();
  }

  @Override
  public void awaitChange(long seenVersion, long timeoutMillis) throws InterruptedException {
    collection.tail().awaitChange(seenVersion, timeoutMillis);
  }

  @Override
  public void wake() {
    collection.tail().signal();
  }

  @Override
  public long awaited() {
    return awaited.get();
  }

  /** Has streams that routers merge tell when they have passed a time. */
  public void await(long time) {
    awaited.accumulateAndGet(
        time, (known, asked) -> Long.compareUnsigned(asked, known) > 0 ? asked : known);
    collection.tail().signal();
  }

  /** To be called when entries are applied, wherever they come from: wakes those who wait. */
  public void grown() {
    collection.tail().signal();
  }

  /** Reads what is at a time and comes after it. */
  public OplogTail tail(long start) {
    return new OplogTail(storage, collection, start);
  }

  public long entries() {
    return storage.counter(Keyspace.SYSTEM, OplogKeys.entries());
  }

  public long bytes() {
    return storage.counter(Keyspace.SYSTEM, OplogKeys.bytes());
  }

  /** The timestamp of the newest entry; 0 if there is none. */
  public long newest() {
    try (KeyValueCursor cursor = storage.cursor(Keyspace.OPLOG, null, null, true)) {
      return cursor.next() ? OplogKeys.timestamp(cursor.key()) : 0;
    }
  }

  CollectionDefinition definition() {
    OplogLimits limits = limits();
    RawDocument options =
        new BsonBuilder()
            .appendBoolean("capped", true)
            .appendInt64("size", limits.bytesMax())
            .appendBoolean("autoIndexId", false)
            .toDocument();
    UUID uuid = UUID.nameUUIDFromBytes(NAMESPACE.full().getBytes(StandardCharsets.UTF_8));
    return new CollectionDefinition(NAMESPACE, uuid, IDENT, options, List.of());
  }
}
