package dev.wisent.database.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.collection.Collection;
import dev.wisent.storage.Keyspace;
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
  private long moreImages;
  private long moreBytes;

  /**
   * @param images the collection that keeps images
   */
  PreImageWriter(Collection changed, Collection images) {
    this.changed = changed.definition().uuid();
    this.images = images;
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
    moreImages++;
    moreBytes += bytes;
  }

  void writeCounters(MutationBuilder mutation) {
    if (moreImages > 0) {
      mutation.add(Keyspace.CATALOG, CatalogKeys.documents(images.ident()), moreImages);
      mutation.add(Keyspace.CATALOG, CatalogKeys.bytes(images.ident()), moreBytes);
    }
  }

  /** Brings the collection's state in memory up to date after the commit. */
  void committed() {
    if (moreImages > 0) {
      images.count(moreImages, moreBytes);
      images.changed();
    }
  }

  void reset() {
    moreImages = 0;
    moreBytes = 0;
  }
}
