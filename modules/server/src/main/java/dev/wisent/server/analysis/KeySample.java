package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of some documents, and how large the documents are.
 *
 * @param documentBytes the mean; 0 where there are no documents
 */
record KeySample(List<EncodedKey> keys, long documentBytes) {
  /** In how many ranges keys are divided to count queries. */
  static final int RANGES = 100;

  private static final int PER_RANGE = 10;

  KeySample {
    keys = List.copyOf(keys);
  }

  static KeySample take(
      Operations database, OperationContext operation, Namespace namespace, ShardKeyPattern key) {
    RawDocument stages =
        RawDocument.parse("{s: [{$sample: {size: " + RANGES * PER_RANGE + "}}]}")
            .get("s")
            .asDocument();
    var request =
        new AggregateRequest(
            namespace,
            Pipeline.parse(stages, QueryContexts.of(operation)),
            null,
            CollationChoice.exactly(null));
    var keys = new ArrayList<EncodedKey>();
    long bytes = 0;
    try (ResultCursor cursor = database.aggregate(operation, request)) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        bytes += each.length();
        keys.add(keyOf(key, each));
      }
    }
    return new KeySample(keys, keys.isEmpty() ? 0 : bytes / keys.size());
  }

  /** The key of a document; fails for one that has an array in it. */
  static EncodedKey keyOf(ShardKeyPattern key, RawDocument document) {
    try {
      return EncodedKey.of(key, document);
    } catch (CommandException e) {
      throw e.code() == ErrorCode.SHARD_KEY_NOT_FOUND
          ? new CommandException(
              ErrorCode.BAD_VALUE, "The shard key contains an array field: " + e.getMessage())
          : e;
    }
  }
}
