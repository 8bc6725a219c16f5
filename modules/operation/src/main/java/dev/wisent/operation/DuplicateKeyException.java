package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationKeys;

/** Two documents would have the same key in a unique index. */
public final class DuplicateKeyException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient RawDocument keyPattern;
  private final transient RawDocument keyValue;
  private final transient Collation collation;

  /**
   * @param index the name of the index
   * @param keyValue what the key has, with keys of strings in their place where the index has a
   *     collation
   * @param collation of the index; null for the simple one
   */
  public DuplicateKeyException(
      Namespace namespace,
      String index,
      RawDocument keyPattern,
      RawDocument keyValue,
      Collation collation) {
    super(
        ErrorCode.DUPLICATE_KEY,
        "E11000 duplicate key error collection: "
            + namespace
            + " index: "
            + index
            + (collation == null ? "" : " collation: " + ValueText.of(collation.document()))
            + " dup key: "
            + ValueText.of(CollationKeys.shown(keyValue, collation)));
    this.keyPattern = keyPattern;
    this.keyValue = keyValue;
    this.collation = collation;
  }

  private DuplicateKeyException(String message, DuplicateKeyException same) {
    super(ErrorCode.DUPLICATE_KEY, message);
    this.keyPattern = same.keyPattern;
    this.keyValue = same.keyValue;
    this.collation = same.collation;
  }

  @Override
  public CommandException during(String context) {
    return new DuplicateKeyException(super.during(context).getMessage(), this);
  }

  public RawDocument keyPattern() {
    return keyPattern;
  }

  /** As it is in the index. */
  public RawDocument keyValue() {
    return keyValue;
  }

  /** As clients may see it: keys of strings are no strings that could be sent. */
  public RawDocument shownKeyValue() {
    return CollationKeys.shown(keyValue, collation);
  }

  /** Of the index; null for the simple one. */
  public Collation collation() {
    return collation;
  }
}
