package dev.wisent.cluster.config.metadata;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import java.util.List;

/** The keys from one, inclusive, to another of the same fields, exclusive. */
public record KeyRange(RawDocument min, RawDocument max) {
  public KeyRange {
    if (!fields(min).equals(fields(max))) {
      throw new CommandException(
          ErrorCode.SHARD_KEY_NOT_FOUND,
          "min: %s and max: %s don't have the same number of keys"
              .formatted(ValueText.of(min), ValueText.of(max)));
    }
    if (ValueOrder.compare(min, max) >= 0) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "min: %s should be less than max: %s".formatted(ValueText.of(min), ValueText.of(max)));
    }
  }

  public static KeyRange of(RawDocument tag) {
    return new KeyRange(DocumentFields.document(tag, "min"), DocumentFields.document(tag, "max"));
  }

  private static List<String> fields(RawDocument key) {
    var names = new ArrayList<String>();
    for (var each = key.elements(); each.next(); ) {
      names.add(each.name());
    }
    return names;
  }

  public RawDocument toDocument() {
    return new BsonBuilder().appendDocument("min", min).appendDocument("max", max).toDocument();
  }

  public boolean overlaps(KeyRange other) {
    return ValueOrder.compare(min, other.max) < 0 && ValueOrder.compare(other.min, max) < 0;
  }

  /** A prefix of the shard key is completed with MinKey. */
  public KeyRange withFullKey(CatalogChange change, String namespace) {
    RawDocument collection = change.findOne("collections", DocumentFields.byId(namespace));
    if (collection == null) {
      return this;
    }
    RawDocument key = DocumentFields.document(collection, "key");
    return new KeyRange(extended("min", min, key, namespace), extended("max", max, key, namespace));
  }

  private static RawDocument extended(
      String name, RawDocument bound, RawDocument key, String namespace) {
    List<String> given = fields(bound);
    List<String> all = fields(key);
    if (given.size() > all.size() || !all.subList(0, given.size()).equals(given)) {
      throw new CommandException(
          ErrorCode.SHARD_KEY_NOT_FOUND,
          "%s: %s is not a prefix of the shard key %s of ns: %s"
              .formatted(name, ValueText.of(bound), ValueText.of(key), namespace));
    }
    var out = new BsonBuilder().appendAll(bound);
    for (String missing : all.subList(given.size(), all.size())) {
      out.append(missing, RawValue.MIN_KEY);
    }
    checkHashed(bound, key);
    return out.toDocument();
  }

  private static void checkHashed(RawDocument bound, RawDocument key) {
    for (var each = bound.elements(); each.next(); ) {
      RawValue kind = key.get(each.name());
      byte type = each.value().type();
      if (kind.isString()
          && type != ElementType.INT64
          && type != ElementType.MIN_KEY
          && type != ElementType.MAX_KEY) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "there exists a field in the range "
                + ValueText.of(bound)
                + " not of type NumberLong, MinKey, or MaxKey which corresponds to a hashed"
                + " field in the shard key pattern "
                + ValueText.of(key));
      }
    }
  }
}
