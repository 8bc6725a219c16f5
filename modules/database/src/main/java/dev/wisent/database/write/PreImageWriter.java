package dev.wisent.database.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.CounterDelta;
import dev.wisent.storage.MutationBuilder;
import java.util.UUID;

/**
 * Adds to the changes of one collection what its documents were before. An image goes with the
 * oplog entry that was attached last, and gets its time from it. For one thread.
 */
final class PreImageWriter {
  private final UUID changed;
  private final Collection images;
  private final BsonBuilder out = new BsonBuilder(512);
  private final CounterDelta counters;

  /**
   * @param images the collection that keeps images
   */
  PreImageWriter(Collection changed, Collection images) {
    this.changed = changed.definition().uuid();
    this.images = images;
    this.counters = new CounterDelta(images);
  }

  /** Attaches an image; the fields that the log fills in are zero. Returns its size. */
  int attach(RawDocument before, MutationBuilder mutation) {
    out.reset(0);
    out.startDocument("_id").appendUuid("nsUUID", changed);
    out.appendTimestamp("ts", 0).appendInt64("applyOpsIndex", 0).end();
    out.appendDate("operationTime", 0);
    out.appendDocument("preImage", before);
    byte[] image = out.toDocument().bytes();
    mutation.preImage(images.ident(), image);
    return image.length;
  }

  /** Counts an attached image. */
  void count(int bytes) {
    counters.add(1, bytes);
  }

  void writeCounters(MutationBuilder mutation) {
    counters.write(mutation);
  }

  /** Brings the collection's state in memory up to date after the commit. */
  void committed() {
    counters.committed();
  }

  void reset() {
    counters.reset();
  }
}
