package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.List;

/**
 * What a shard key asks of the indexes of its collection.
 *
 * @param unique whether keys are
 */
record ShardKeyIndexes(Namespace namespace, ShardKeyPattern key, boolean unique) {
  /** A unique index begins with the shard key. */
  void checkUnique(List<RawDocument> indexes) {
    for (RawDocument index : indexes) {
      RawDocument pattern = DocumentFields.document(index, "key");
      if (DocumentFields.isTrue(index, "unique") && !key.allowsUnique(pattern)) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            ("can't shard collection '%s' with unique index on %s and proposed shard key %s."
                    + " Uniqueness can't be maintained unless shard key is a prefix")
                .formatted(namespace, ValueText.of(pattern), ValueText.of(key.pattern())));
      }
    }
  }

  /** Whether one of them finds the documents of a chunk, and keeps keys unique if they are. */
  boolean haveUsable(List<RawDocument> indexes) {
    for (RawDocument index : indexes) {
      RawDocument pattern = DocumentFields.document(index, "key");
      if (key.isSupportedBy(index)
          && (!unique || (pattern.equals(key.pattern()) && isUnique(index, pattern)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnique(RawDocument index, RawDocument pattern) {
    return DocumentFields.isTrue(index, "unique")
        || (pattern.fieldCount() == 1 && pattern.get("_id") != null);
  }

  /** An index that supports a shard key, where there is none. */
  static RawDocument missing(ShardKeyPattern key, boolean unique, RawDocument options) {
    var index = new BsonBuilder();
    index.appendInt32("v", 2).appendDocument("key", key.pattern());
    index.appendString("name", indexName(key));
    if (unique) {
      index.appendBoolean("unique", true);
    }
    if (!DocumentFields.document(options, "collation").isEmpty()) {
      index.startDocument("collation").appendString("locale", "simple").end();
    }
    return index.toDocument();
  }

  private static String indexName(ShardKeyPattern key) {
    var name = new StringBuilder();
    for (var each = key.pattern().elements(); each.next(); ) {
      RawValue kind = each.value();
      name.append(name.isEmpty() ? "" : "_").append(each.name()).append('_');
      name.append(kind.isString() ? kind.asString() : Long.toString(kind.toLong()));
    }
    return name.toString();
  }
}
