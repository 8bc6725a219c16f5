package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.metadata.MetaType;
import java.nio.charset.StandardCharsets;

/**
 * The order of a find on several shards. Each shard sorts its documents and shows the values that
 * it has sorted them by in the field {@code $sortKey}, also where a projection leaves these out.
 * Belongs to one thread.
 */
final class MergeOrder {
  static final String FIELD = "$sortKey";

  private static final byte[] FIELD_BYTES = FIELD.getBytes(StandardCharsets.US_ASCII);

  private final boolean[] descending;
  private final MetaType shown;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();

  private MergeOrder(boolean[] descending, MetaType shown) {
    this.descending = descending;
    this.shown = shown;
  }

  /** That of a sort; under a collation the shards show keys, not the strings themselves. */
  static MergeOrder of(SortPattern sort) {
    var descending = new boolean[sort.parts().size()];
    for (int i = 0; i < descending.length; i++) {
      descending[i] = sort.parts().get(i).descending();
    }
    return new MergeOrder(descending, MetaType.SORT_KEY);
  }

  /** Nearest first, as a search by distance gives them. */
  static MergeOrder ofDistance() {
    return new MergeOrder(new boolean[1], MetaType.GEO_NEAR_DISTANCE);
  }

  /** A projection that shows what this order needs beside what is asked for. */
  RawDocument shownIn(RawDocument projection) {
    var out = new BsonBuilder(projection.length() + 64).appendAll(projection);
    out.startDocument(FIELD).appendString("$meta", shown.text()).end();
    return out.toDocument();
  }

  /** Bytes that sort as the documents do. */
  byte[] key(RawDocument document) {
    encoder.reset();
    RawValue key = document.get(FIELD_BYTES);
    if (key == null || !key.isArray()) {
      encoder.append(key == null ? RawValue.NULL : key, descending[0]);
      return encoder.toByteArray();
    }
    ElementCursor values = key.elements();
    for (boolean down : descending) {
      encoder.append(values.next() ? values.value() : RawValue.NULL, down);
    }
    return encoder.toByteArray();
  }

  /** The document as it was asked for. */
  static RawDocument shown(RawDocument document) {
    return document.without(FIELD_BYTES);
  }
}
