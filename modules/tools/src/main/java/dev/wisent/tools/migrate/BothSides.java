package dev.wisent.tools.migrate;

import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;

/**
 * Reads a collection and its copy. All reads are of what a majority has, and not older than this
 * object, whatever members they are read from. For one thread, unless it is said.
 */
final class BothSides {
  private static final int CHECKED_EVERY = 512;
  private static final BsonDocument ID_ONLY = new BsonDocument("_id", new BsonInt32(1));

  /** Fails if the reader is to end. */
  @FunctionalInterface
  interface Check {
    void run() throws ToolException;
  }

  /** One of the two. */
  private record Side(Deployment deployment, BsonTimestamp time, CollectionInfo info) {}

  private final Side source;
  private final Side target;
  private final Check check;

  private BothSides(Side source, Side target, Check check) {
    this.source = source;
    this.target = target;
    this.check = check;
  }

  /** Times that reads are not older than. */
  record Times(BsonTimestamp source, BsonTimestamp target) {
    static Times now(Deployment source, Deployment target) {
      return new Times(SourceTime.now(source), SourceTime.now(target));
    }
  }

  /** Makes the sides of one collection. */
  @FunctionalInterface
  interface Factory {
    BothSides of(CollectionInfo info, CollectionInfo copy, Times times);
  }

  static Factory factory(Deployment source, Deployment target, Check check) {
    return (info, copy, times) ->
        new BothSides(
            new Side(source, times.source(), info), new Side(target, times.target(), copy), check);
  }

  /** May be called beside the next one. */
  CollectionDigest digestOfSource() throws ToolException {
    return digest(source);
  }

  CollectionDigest digestOfTarget() throws ToolException {
    return digest(target);
  }

  private CollectionDigest digest(Side side) throws ToolException {
    var digest = new CollectionDigest();
    scan(side, new BsonDocument(), digest::add);
    return digest;
  }

  /** Does something with documents, or their keys. */
  @FunctionalInterface
  private interface Action {
    void accept(RawBsonDocument document) throws ToolException;
  }

  private void scan(Side side, BsonDocument projection, Action action) throws ToolException {
    long count = 0;
    try (var reads = new SourceReads(side.deployment(), side.time());
        MongoCursor<RawBsonDocument> cursor =
            reads
                .find(side.info(), new BsonDocument())
                .projection(projection)
                .noCursorTimeout(true)
                .cursor()) {
      while (cursor.hasNext()) {
        action.accept(cursor.next());
        if (++count % CHECKED_EVERY == 0) {
          check.run();
        }
      }
    }
  }

  long countOfSource() {
    return count(source);
  }

  long countOfTarget() {
    return count(target);
  }

  private static long count(Side side) {
    try (var reads = new SourceReads(side.deployment(), side.time())) {
      return reads.count(side.info());
    }
  }

  /** Finds documents that are different, among those of some groups. */
  void findDifferent(BitSet groups, ComparedCollection compared) throws ToolException {
    findDifferent(groups, compared, source, new BsonDocument());
    // What the source has was compared by this; only what it lacks is left.
    findDifferent(groups, compared, target, ID_ONLY);
  }

  private void findDifferent(
      BitSet groups, ComparedCollection compared, Side side, BsonDocument projection)
      throws ToolException {
    List<DocumentKey> part = new ArrayList<>();
    scan(
        side,
        ID_ONLY,
        document -> {
          DocumentKey key = DocumentKey.of(document);
          if (groups.get(key.bucket(CollectionDigest.BUCKETS))) {
            part.add(key);
          }
          if (part.size() == KeyedRefresh.KEYS_MAX) {
            compared.suspect(different(part, projection));
            part.clear();
          }
        });
    compared.suspect(different(part, projection));
  }

  /** Those of some documents that are not the same on both sides. */
  Set<DocumentKey> different(Collection<DocumentKey> keys) throws ToolException {
    return different(keys, new BsonDocument());
  }

  private Set<DocumentKey> different(Collection<DocumentKey> keys, BsonDocument projection)
      throws ToolException {
    Set<DocumentKey> different = new LinkedHashSet<>();
    for (List<DocumentKey> part : KeyedRefresh.parts(keys)) {
      check.run();
      Map<DocumentKey, ByteBuffer> before = hashes(source, part, projection);
      Map<DocumentKey, ByteBuffer> after = hashes(target, part, projection);
      before.forEach(
          (key, hash) -> {
            if (!hash.equals(after.get(key))) {
              different.add(key);
            }
          });
      after.keySet().stream().filter(key -> !before.containsKey(key)).forEach(different::add);
    }
    return different;
  }

  /** Of several documents of one key, which shards may have, their hashes one after the other. */
  private static Map<DocumentKey, ByteBuffer> hashes(
      Side side, Collection<DocumentKey> keys, BsonDocument projection) {
    var ids = new BsonArray();
    keys.forEach(key -> ids.add(key.id()));
    Map<DocumentKey, ByteBuffer> hashes = new HashMap<>();
    var filter = new BsonDocument("_id", new BsonDocument("$in", ids));
    try (var reads = new SourceReads(side.deployment(), side.time());
        MongoCursor<RawBsonDocument> cursor =
            reads.find(side.info(), filter).projection(projection).cursor()) {
      while (cursor.hasNext()) {
        RawBsonDocument document = cursor.next();
        hashes.merge(
            DocumentKey.of(document),
            ByteBuffer.wrap(CollectionDigest.hash(document)),
            BothSides::joined);
      }
    }
    return hashes;
  }

  private static ByteBuffer joined(ByteBuffer one, ByteBuffer other) {
    return ByteBuffer.allocate(one.remaining() + other.remaining())
        .put(one.duplicate())
        .put(other.duplicate())
        .flip();
  }

  /** A difference in words. */
  String describe(DocumentKey key) {
    boolean before = !hashes(source, List.of(key), ID_ONLY).isEmpty();
    boolean after = !hashes(target, List.of(key), ID_ONLY).isEmpty();
    String what =
        before && after ? "is another document" : before ? "is missing" : "is in the target only";
    return "%s: _id %s %s; %d documents in the source, %d in the target"
        .formatted(source.info(), key, what, countOfSource(), countOfTarget());
  }
}
