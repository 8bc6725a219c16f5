package dev.wisent.database.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.oplog.PreImageTimes;
import dev.wisent.operation.Namespace;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.RecordKeys;
import java.util.List;

/**
 * The collection that keeps documents as they were before updates and deletions, for change
 * streams. It has a definition like any other, which is written when it is first needed, but no
 * index: the record id of an image is told by the timestamp of the oplog entry of its change, see
 * {@link PreImageTimes}. Only writes to other collections add to it.
 */
public final class PreImages {
  public static final Namespace NAMESPACE = new Namespace("config", "system.preimages");

  private PreImages() {}

  /** The options of a collection that is created by a first write: as MongoDB defines this one. */
  static RawDocument optionsOf(Namespace namespace) {
    if (!namespace.equals(NAMESPACE)) {
      return RawDocument.EMPTY;
    }
    var options = new BsonBuilder();
    options.startDocument("clusteredIndex").appendInt32("v", 2);
    options.startDocument("key").appendInt32("_id", 1).end();
    options.appendString("name", "_id_").appendBoolean("unique", true).end();
    return options.toDocument();
  }

  /** The indexes of a new collection. */
  static List<IndexDefinition> indexesOf(Namespace namespace, int ident, RawDocument options) {
    return namespace.equals(NAMESPACE) ? List.of() : List.of(IndexDefinition.ofId(ident, options));
  }

  /**
   * Finds the image of a change.
   *
   * @param changed the UUID of the collection that was changed
   * @param timestamp of the oplog entry
   * @param position of the change among those of the entry
   * @return null if there is none, or no longer
   */
  public static RawDocument find(
      Catalog catalog, ReadView view, RawValue changed, long timestamp, int position) {
    Collection images = catalog.find(NAMESPACE);
    if (images == null) {
      return null;
    }
    byte[] stored =
        view.get(
            Keyspace.RECORDS,
            RecordKeys.recordKey(images.ident(), PreImageTimes.recordId(timestamp, position)));
    if (stored == null || PreImageTimes.timestamp(stored) != timestamp) {
      return null;
    }
    RawDocument image = RawDocument.of(stored);
    RawValue uuid = image.get("_id").asDocument().get("nsUUID");
    return uuid.equals(changed) ? image.get("preImage").asDocument() : null;
  }
}
