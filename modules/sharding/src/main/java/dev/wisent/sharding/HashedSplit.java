package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Divides the hashes of a shard key evenly, to the same numbers as MongoDB. */
public final class HashedSplit {
  private HashedSplit() {}

  /**
   * The keys that begin the chunks, but for the first.
   *
   * @param bound whose fields in front of the hashed one all keys have
   */
  public static List<RawDocument> points(ShardKeyPattern key, RawDocument bound, int chunks) {
    var points = new ArrayList<RawDocument>(chunks);
    hashes(chunks).forEach(hash -> points.add(point(key, bound, hash)));
    return points;
  }

  /** Hashes that lie symmetrically around zero. */
  private static List<Long> hashes(int chunks) {
    var hashes = new ArrayList<Long>(chunks);
    long step = Long.MAX_VALUE / chunks * 2;
    long hash = step / 2;
    if (chunks % 2 == 0) {
      hashes.add(0L);
      hash = step;
    }
    while (hashes.size() < chunks - 1) {
      hashes.add(hash);
      hashes.add(-hash);
      hash += step;
    }
    Collections.sort(hashes);
    return hashes;
  }

  private static RawDocument point(ShardKeyPattern key, RawDocument bound, long hash) {
    var out = new BsonBuilder(64);
    ElementCursor before = bound.elements();
    for (int i = 0; i < key.fields().size(); i++) {
      String name = key.fields().get(i).path().dotted();
      if (i < key.hashedField()) {
        before.next();
        out.append(name, before.value());
      } else {
        out.append(name, i == key.hashedField() ? RawValue.ofInt64(hash) : RawValue.MIN_KEY);
      }
    }
    return out.toDocument();
  }
}
