package dev.wisent.database.catalog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * An index as it is written down.
 *
 * @param ident the prefix of its keys in the index keyspace
 * @param spec what listIndexes reports: v, key, name and the options that were given
 */
public record IndexDefinition(int ident, RawDocument spec) {
  public static final String ID_INDEX_NAME = "_id_";

  /** The index on {@code _id} of a new collection with these options. */
  public static IndexDefinition ofId(int ident, RawDocument options) {
    var spec = new BsonBuilder();
    spec.appendInt32("v", 2);
    spec.startDocument("key").appendInt32("_id", 1).end();
    var clustered = options.get("clusteredIndex");
    var name =
        clustered != null && clustered.isDocument() ? clustered.asDocument().get("name") : null;
    spec.appendString("name", name == null ? ID_INDEX_NAME : name.asString());
    if (clustered != null) {
      spec.appendBoolean("unique", true);
      spec.appendBoolean("clustered", true);
    }
    var collation = options.get("collation");
    if (collation != null) {
      spec.append("collation", collation);
    }
    return new IndexDefinition(ident, spec.toDocument());
  }

  public String name() {
    return spec.get("name").asString();
  }

  public RawDocument key() {
    return spec.get("key").asDocument();
  }

  /** Whether this is the index that every collection has; others may be on {@code _id} too. */
  public boolean isId() {
    ElementCursor fields = key().elements();
    return fields.next()
        && fields.name().equals("_id")
        && fields.value().isNumber()
        && fields.value().toDouble() == 1
        && !fields.next();
  }

  /** Whether two documents may not share a key. The {@code _id} index is always unique. */
  public boolean isUnique() {
    return isId() || isSet("unique");
  }

  public boolean isSparse() {
    return isSet("sparse");
  }

  /** Whether queries do not use the index. */
  public boolean isHidden() {
    return isSet("hidden");
  }

  /** Whether new documents may not share a key, though those of before may. */
  public boolean isPrepareUnique() {
    return isSet("prepareUnique");
  }

  /** What documents must match to be in the index; null if all are. */
  public RawDocument partialFilter() {
    return document("partialFilterExpression");
  }

  /** Which paths a wildcard index has; null if that is not said. */
  public RawDocument wildcardProjection() {
    return document("wildcardProjection");
  }

  /** How long documents live after the date in the indexed field; null if for ever. */
  public RawValue expireAfterSeconds() {
    return spec.get("expireAfterSeconds");
  }

  private RawDocument document(String option) {
    RawValue value = spec.get(option);
    return value == null ? null : value.asDocument();
  }

  private boolean isSet(String option) {
    RawValue value = spec.get(option);
    return value != null && value.isTruthy();
  }
}
