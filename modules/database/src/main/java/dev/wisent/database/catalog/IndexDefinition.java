package dev.wisent.database.catalog;

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

  public String name() {
    return spec.get("name").asString();
  }

  public RawDocument key() {
    return spec.get("key").asDocument();
  }

  public boolean isId() {
    ElementCursor fields = key().elements();
    return fields.next() && fields.name().equals("_id") && !fields.next();
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

  private boolean isSet(String option) {
    RawValue value = spec.get(option);
    return value != null && value.isTruthy();
  }
}
