package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.database.Namespace;

/** Two documents would have the same key in a unique index. */
public final class DuplicateKeyException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient RawDocument keyPattern;
  private final transient RawDocument keyValue;

  public DuplicateKeyException(
      Namespace namespace, String indexName, RawDocument keyPattern, RawDocument keyValue) {
    super(
        ErrorCode.DUPLICATE_KEY,
        "E11000 duplicate key error collection: "
            + namespace
            + " index: "
            + indexName
            + " dup key: "
            + ValueText.of(keyValue));
    this.keyPattern = keyPattern;
    this.keyValue = keyValue;
  }

  public RawDocument keyPattern() {
    return keyPattern;
  }

  public RawDocument keyValue() {
    return keyValue;
  }
}
