package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyDistribution;
import dev.wisent.sharding.advice.KeyDistribution.CommonValue;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;

/**
 * The part {@code keyCharacteristics} of the reply. The documents are read once, in the order of
 * the key, which an index has.
 */
final class KeyCharacteristics {
  private static final int COMMON_VALUES = 5;
  private static final int VALUE_BYTES_MAX = 1 << 20;

  /** From this coefficient on a key follows the order of insertion. */
  private static final double MONOTONIC = 0.7;

  private static final String NAME = "keyCharacteristics";

  private final Operations database;
  private final AnalyzedCollections collections;
  private final AnalyzeShardKeyRequest asked;
  private final AnalyzedCollection collection;
  private final RawDocument index;

  KeyCharacteristics(
      Operations database,
      AnalyzedCollections collections,
      AnalyzeShardKeyRequest asked,
      AnalyzedCollection collection,
      RawDocument index) {
    this.database = database;
    this.collections = collections;
    this.asked = asked;
    this.collection = collection;
    this.index = index;
  }

  void append(OperationContext operation, KeySample sample, BsonBuilder reply) {
    ShardKeyPattern key = asked.key();
    long total =
        database.count(
            operation, new CountRequest(asked.namespace(), RawDocument.EMPTY, 0, 0, null));
    KeyDistribution values = scan(operation, Math.max(1, total));
    if (values.documents() == 0) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Cannot analyze the cardinality and frequency of a shard key for an empty collection");
    }
    reply.startDocument(NAME);
    reply.appendInt64("numDocsTotal", Math.max(total, values.documents()));
    reply.appendInt64("avgDocSizeBytes", sample.documentBytes());
    reply.appendInt64("numDocsSampled", values.documents());
    reply.appendBoolean("isUnique", AnalyzedCollection.isUnique(index, key));
    reply.appendInt64("numDistinctValues", values.distinctValues());
    reply.startArray("mostCommonValues");
    int i = 0;
    for (CommonValue common : values.mostCommon()) {
      reply.startDocument(i++).appendDocument("value", shown(common.value()));
      reply.appendInt64("frequency", common.frequency()).end();
    }
    reply.end();
    reply.appendDocument("monotonicity", monotonicity(operation, values)).end();
  }

  private KeyDistribution scan(OperationContext operation, long total) {
    double rate = asked.rateOf(total);
    ShardKeyPattern key = plain(asked.key());
    var values = new KeyDistribution(COMMON_VALUES);
    try (ResultCursor cursor = database.find(operation, request(key))) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        if (rate >= 1 || operation.random().nextDouble() < rate) {
          EncodedKey found = KeySample.keyOf(key, each);
          RawValue record = each.get("$recordId");
          boolean numbered = record != null && record.isNumber();
          values.add(found.bytes(), found.key(), numbered ? record.toLong() : 0);
        }
        operation.checkInterrupt();
      }
    }
    return values;
  }

  /** The same fields without hashes: values are what is counted and shown. */
  private static ShardKeyPattern plain(ShardKeyPattern key) {
    var fields = new BsonBuilder();
    for (KeyPattern.Field field : key.fields()) {
      fields.appendInt32(field.path().dotted(), 1);
    }
    return ShardKeyPattern.of(fields.toDocument());
  }

  private FindRequest request(ShardKeyPattern key) {
    var projection = new BsonBuilder();
    if (key.pattern().get("_id") == null) {
      projection.appendInt32("_id", 0);
    }
    var find =
        new FindRequest.Builder()
            .projection(projection.appendAll(key.pattern()).toDocument())
            .sort(key.pattern())
            .showRecordId(collection.hasRecordIds())
            .collation(CollationChoice.exactly(null));
    if (AnalyzedCollection.isOrdered(index, key) && index.get("clustered") == null) {
      find.hint(index.get("name"));
    }
    return find.build(asked.namespace());
  }

  /** A value, as long as it is not so large that five of them would fill a reply. */
  private static RawDocument shown(RawDocument value) {
    if (value.length() <= VALUE_BYTES_MAX) {
      return value;
    }
    var out = new BsonBuilder();
    for (ElementCursor each = value.elements(); each.next(); ) {
      if (each.value().length() < VALUE_BYTES_MAX / 16) {
        out.appendElement(each);
      } else {
        out.startDocument(each.name()).appendString("type", ElementType.alias(each.type()));
        out.appendString("value", "truncated").end();
      }
    }
    return out.toDocument();
  }

  private RawDocument monotonicity(OperationContext operation, KeyDistribution values) {
    var out = new BsonBuilder();
    if (asked.key().hasHashedPrefix()) {
      return out.appendString("type", "not monotonic").toDocument();
    }
    RawDocument owner = collections.askOwner(operation, asked.namespace(), question());
    if (owner != null) {
      RawValue told = owner.get(NAME);
      RawValue monotonicity = told == null ? null : told.asDocument().get("monotonicity");
      return monotonicity == null ? unknown() : monotonicity.asDocument();
    }
    if (!collection.hasRecordIds() || !AnalyzedCollection.isOrdered(index, asked.key())) {
      return unknown();
    }
    double coefficient = values.insertionCorrelation();
    out.appendDouble("recordIdCorrelationCoefficient", coefficient);
    boolean follows = Math.abs(coefficient) >= MONOTONIC;
    return out.appendString("type", follows ? "monotonic" : "not monotonic").toDocument();
  }

  private static RawDocument unknown() {
    return new BsonBuilder().appendString("type", "unknown").toDocument();
  }

  /** For the shard that knows its record ids. */
  private RawDocument question() {
    var command = new BsonBuilder();
    command.appendString("analyzeShardKey", asked.namespace().full());
    command.appendDocument("key", asked.key().pattern());
    command.appendBoolean("readWriteDistribution", false);
    if (asked.sampleRate() != null) {
      command.appendDouble("sampleRate", asked.sampleRate());
    } else {
      command.appendInt64("sampleSize", asked.sampleSize());
    }
    return command.toDocument();
  }
}
