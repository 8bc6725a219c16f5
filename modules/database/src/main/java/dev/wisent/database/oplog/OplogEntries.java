package dev.wisent.database.oplog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.query.diff.DocumentDiff;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.sharding.ShardKeyPattern;
import java.nio.charset.StandardCharsets;

/**
 * Makes the oplog entries of changes to the documents of one collection. Each is complete but for
 * what the log adds at its end. Applying an entry again changes nothing: it says what a document
 * has become, not how. For one thread.
 */
public final class OplogEntries {
  private static final byte[] ID = "_id".getBytes(StandardCharsets.UTF_8);
  private static final RawValue INSERT = RawValue.ofString("i");
  private static final RawValue UPDATE = RawValue.ofString("u");
  private static final RawValue DELETE = RawValue.ofString("d");
  private static final int DIFF_VERSION = 2;

  private final CollectionDefinition collection;
  private final RawValue namespace;
  private final RetryableStatements retryable;
  private final RawDocument session;
  private final ShardKeyPattern shardKey;
  private final boolean migration;
  private final BsonBuilder out = new BsonBuilder(512);

  /**
   * @param retryable what the changes are part of, and may be repeated as such; null if nothing
   * @param shardKey null where the collection is not sharded
   * @param migration whether documents only come from another shard or are removed after they went
   *     there: change streams leave such entries out
   */
  public OplogEntries(
      CollectionDefinition collection,
      RetryableStatements retryable,
      ShardKeyPattern shardKey,
      boolean migration) {
    this.shardKey = shardKey;
    this.migration = migration;
    this.collection = collection;
    this.namespace = RawValue.ofString(collection.namespace().full());
    this.retryable = retryable;
    this.session = retryable == null ? null : retryable.session().document();
  }

  public byte[] insert(RawDocument document) {
    begin(INSERT);
    out.appendDocument("o", document);
    appendKey("o2", document);
    return end();
  }

  /**
   * @param replaced whether the whole document was given, and not what is to change
   */
  public byte[] update(RawDocument before, UpdateOutcome outcome, boolean replaced) {
    RawDocument after = outcome.document();
    RawDocument diff =
        replaced ? null : DocumentDiff.between(before, after, outcome.touched().targets());
    begin(UPDATE);
    if (diff == null) {
      out.appendDocument("o", after);
    } else {
      out.startDocument("o").appendInt32("$v", DIFF_VERSION).appendDocument("diff", diff).end();
    }
    appendKey("o2", before);
    return end();
  }

  public byte[] delete(RawDocument before) {
    begin(DELETE);
    appendKey("o", before);
    return end();
  }

  private void begin(RawValue kind) {
    out.reset(0);
    if (retryable != null) {
      out.appendDocument("lsid", session);
      out.appendInt64("txnNumber", retryable.txnNumber());
    }
    out.append("op", kind);
    out.append("ns", namespace);
    collection.appendUuid("ui", out);
    if (migration) {
      out.appendBoolean("fromMigrate", true);
    }
  }

  /** The shard key and {@code _id} of a document, by which it is found on all shards. */
  private void appendKey(String name, RawDocument document) {
    out.startDocument(name);
    if (shardKey != null) {
      for (KeyPattern.Field field : shardKey.fields()) {
        RawValue value = PlainValues.valueOrArray(document, field.path());
        if (value != null) {
          out.append(field.path().dotted(), value);
        }
      }
    }
    RawValue id = document.get(ID);
    if (id != null && (shardKey == null || !shardKey.has("_id"))) {
      out.append(ID, id);
    }
    out.end();
  }

  private byte[] end() {
    if (retryable != null) {
      out.appendInt32("stmtId", retryable.statementId());
    }
    return out.toDocument().bytes();
  }
}
