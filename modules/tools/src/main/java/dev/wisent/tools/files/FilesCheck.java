package dev.wisent.tools.files;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Finds chunks without a file, and files without all of their chunks. A driver writes the file
 * last, so chunks without one may be an upload in progress: those whose newest chunk is young are
 * spared. Not thread-safe.
 */
final class FilesCheck {
  private static final int BATCH = 1_000;
  private static final int NUMBERS_MAX = 10;
  private static final long MILLIS = 1_000;

  /** What was found. */
  record Findings(long files, long broken, long orphaned, long orphanedChunks, long inProgress) {
    boolean isClean() {
      return broken == 0 && orphaned == 0;
    }
  }

  private final MongoCollection<BsonDocument> files;
  private final MongoCollection<BsonDocument> chunks;
  private final long youngSinceMillis;
  private final Consumer<String> report;
  private final Map<BsonValue, BsonDocument> orphans = new LinkedHashMap<>();
  private long broken;
  private long inProgress;

  /**
   * @param youngSinceMillis since when a chunk may be of an upload in progress
   */
  FilesCheck(
      MongoDatabase database, String prefix, long youngSinceMillis, Consumer<String> report) {
    this.files = database.getCollection(prefix + ".files", BsonDocument.class);
    this.chunks = database.getCollection(prefix + ".chunks", BsonDocument.class);
    this.youngSinceMillis = youngSinceMillis;
    this.report = report;
  }

  Findings run() {
    List<BsonDocument> batch = new ArrayList<>();
    for (BsonDocument group : chunks.aggregate(groups(null)).allowDiskUse(true)) {
      batch.add(group);
      if (batch.size() == BATCH) {
        compare(batch);
        batch.clear();
      }
    }
    compare(batch);
    long count = findFilesWithoutChunks();
    confirmOrphans();
    long chunkCount = 0;
    for (BsonDocument orphan : orphans.values()) {
      long of = orphan.getNumber("count").longValue();
      chunkCount += of;
      report.accept(
          "orphaned: %d chunk(s), %d bytes, of the file %s, which is not there"
              .formatted(of, orphan.getNumber("bytes").longValue(), text(orphan.get("_id"))));
    }
    return new Findings(count, broken, orphans.size(), chunkCount, inProgress);
  }

  private static List<BsonDocument> groups(BsonArray ids) {
    List<BsonDocument> pipeline = new ArrayList<>();
    if (ids != null) {
      pipeline.add(
          new BsonDocument("$match", new BsonDocument("files_id", new BsonDocument("$in", ids))));
    }
    pipeline.add(
        BsonDocument.parse(
            """
            {$group: {_id: "$files_id", count: {$sum: 1}, first: {$min: "$n"}, last: {$max: "$n"},
              bytes: {$sum: {$binarySize: "$data"}}, newest: {$max: "$_id"}}}\
            """));
    return pipeline;
  }

  private static BsonArray ids(List<BsonDocument> documents) {
    var ids = new BsonArray();
    documents.forEach(document -> ids.add(document.get("_id")));
    return ids;
  }

  private static BsonDocument anyOf(String field, BsonArray ids) {
    return new BsonDocument(field, new BsonDocument("$in", ids));
  }

  private void compare(List<BsonDocument> groups) {
    if (groups.isEmpty()) {
      return;
    }
    Map<BsonValue, BsonDocument> found = new HashMap<>();
    files.find(anyOf("_id", ids(groups))).forEach(file -> found.put(file.get("_id"), file));
    for (BsonDocument group : groups) {
      BsonDocument file = found.get(group.get("_id"));
      if (file != null) {
        check(file, group);
      } else if (isYoung(group)) {
        inProgress++;
      } else {
        orphans.put(group.get("_id"), group);
      }
    }
  }

  private boolean isYoung(BsonDocument group) {
    return group.get("newest") instanceof BsonObjectId id
        && id.getValue().getTimestamp() * MILLIS >= youngSinceMillis;
  }

  private void check(BsonDocument file, BsonDocument group) {
    long length = file.getNumber("length", new BsonInt64(0)).longValue();
    long size = file.getNumber("chunkSize", new BsonInt32(0)).longValue();
    long expected = size <= 0 ? 0 : (length + size - 1) / size;
    long count = group.getNumber("count").longValue();
    boolean complete =
        count == expected
            && group.getNumber("first").longValue() == 0
            && group.getNumber("last").longValue() == expected - 1
            && group.getNumber("bytes").longValue() == length;
    if (complete) {
      return;
    }
    broken++;
    report.accept(
        "%s: %s has %d of %d chunk(s), %d of %d bytes%s"
            .formatted(
                count < expected ? "missing" : "damaged",
                text(file),
                count,
                expected,
                group.getNumber("bytes").longValue(),
                length,
                missing(file.get("_id"), expected)));
  }

  private String missing(BsonValue id, long expected) {
    List<Long> numbers = new ArrayList<>();
    long next = 0;
    try (MongoCursor<BsonDocument> there =
        chunks
            .find(new BsonDocument("files_id", id))
            .projection(BsonDocument.parse("{n: 1}"))
            .sort(BsonDocument.parse("{n: 1}"))
            .allowDiskUse(true)
            .cursor()) {
      while (next < expected && numbers.size() <= NUMBERS_MAX) {
        long n = there.hasNext() ? there.next().getNumber("n").longValue() : expected;
        for (; next < Math.min(n, expected) && numbers.size() <= NUMBERS_MAX; next++) {
          numbers.add(next);
        }
        next = Math.max(next, n + 1);
      }
    }
    if (numbers.isEmpty()) {
      return "";
    }
    boolean more = numbers.size() > NUMBERS_MAX;
    List<Long> shown = numbers.subList(0, Math.min(NUMBERS_MAX, numbers.size()));
    return "; not there: n = "
        + shown.toString().replaceAll("[\\[\\]]", "")
        + (more ? ", ..." : "");
  }

  /** Returns how many files there are. */
  private long findFilesWithoutChunks() {
    long count = 0;
    List<BsonDocument> batch = new ArrayList<>();
    for (BsonDocument file : files.find()) {
      count++;
      if (file.getNumber("length", new BsonInt64(0)).longValue() > 0) {
        batch.add(file);
      }
      if (batch.size() == BATCH) {
        withoutChunks(batch);
        batch.clear();
      }
    }
    withoutChunks(batch);
    return count;
  }

  private void withoutChunks(List<BsonDocument> batch) {
    if (batch.isEmpty()) {
      return;
    }
    Map<BsonValue, BsonDocument> left = new LinkedHashMap<>();
    batch.forEach(file -> left.put(file.get("_id"), file));
    chunks.aggregate(groups(ids(batch))).forEach(group -> left.remove(group.get("_id")));
    for (BsonDocument file : left.values()) {
      broken++;
      report.accept(
          "missing: %s has no chunks, and should have %d bytes"
              .formatted(text(file), file.getNumber("length").longValue()));
    }
  }

  /** A file that is being deleted has no entry already, and its chunks for a moment longer. */
  private void confirmOrphans() {
    for (BsonValue id : List.copyOf(orphans.keySet())) {
      boolean gone = chunks.find(new BsonDocument("files_id", id)).first() == null;
      boolean complete = files.find(new BsonDocument("_id", id)).first() != null;
      if (gone || complete) {
        orphans.remove(id);
      }
    }
  }

  private static String text(BsonDocument file) {
    return file.getString("filename", new BsonString("")).getValue()
        + " ("
        + text(file.get("_id"))
        + ")";
  }

  private static String text(BsonValue id) {
    String json = new BsonDocument("v", id).toJson();
    return json.substring(json.indexOf(':') + 1, json.length() - 1).strip();
  }
}
