package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.WriteOutcome;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The replies of shards to parts of a batch, put together. */
final class BatchResult {
  private long count;
  private long modified;
  private final TreeMap<Integer, RawValue> upserted = new TreeMap<>();
  private final TreeMap<Integer, CommandException> failures = new TreeMap<>();
  private final TreeSet<Integer> retried = new TreeSet<>();
  private boolean hasReplies;

  /** Takes what a shard has done; returns the errors of its statements by their positions. */
  Map<Integer, RawDocument> add(ShardBatch sent, RawDocument reply) {
    hasReplies = true;
    Map<Integer, RawDocument> errors = Map.of();
    ElementCursor fields = reply.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      switch (fields.name()) {
        case "n" -> count += value.toLong();
        case "nModified" -> modified += value.toLong();
        case "upserted" -> addUpserted(sent, value);
        case "retriedStmtIds" -> addRetried(value);
        case "writeErrors" -> errors = byPosition(value);
        default -> {
          // Of the shard, not of its statements.
        }
      }
    }
    return errors;
  }

  private void addUpserted(ShardBatch sent, RawValue entries) {
    ElementCursor each = entries.elements();
    while (each.next()) {
      RawDocument entry = each.value().asDocument();
      upserted.put(sent.indexAt((int) entry.get("index").toLong()), entry.get("_id"));
    }
  }

  private void addRetried(RawValue numbers) {
    ElementCursor each = numbers.elements();
    while (each.next()) {
      retried.add((int) each.value().toLong());
    }
  }

  private static Map<Integer, RawDocument> byPosition(RawValue entries) {
    var errors = new HashMap<Integer, RawDocument>();
    ElementCursor each = entries.elements();
    while (each.next()) {
      RawDocument entry = each.value().asDocument();
      errors.put((int) entry.get("index").toLong(), entry);
    }
    return errors;
  }

  void fail(int index, CommandException error) {
    failures.put(index, error);
  }

  /** Whether a shard has executed something, or has tried to. */
  boolean hasReplies() {
    return hasReplies;
  }

  WriteOutcome toOutcome() {
    var outcome = new WriteOutcome();
    outcome.addMatched(count - upserted.size());
    outcome.addModified(modified);
    upserted.forEach(outcome::addUpserted);
    retried.forEach(outcome::addRetried);
    failures.forEach(outcome::addFailure);
    return outcome;
  }
}
