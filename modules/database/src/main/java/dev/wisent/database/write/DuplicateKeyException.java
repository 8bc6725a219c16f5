package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.database.Namespace;
import dev.wisent.database.collection.CollationKeys;
import dev.wisent.database.collection.Index;
import dev.wisent.query.collation.Collation;

/** Two documents would have the same key in a unique index. */
public final class DuplicateKeyException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient RawDocument keyPattern;
  private final transient RawDocument keyValue;
  private final transient Collation collation;

  /**
   * @param keyValue what the key has, with keys of strings in their place where the index has a
   *     collation
   */
  public DuplicateKeyException(Namespace namespace, Index index, RawDocument keyValue) {
    super(
        ErrorCode.DUPLICATE_KEY,
        "E11000 duplicate key error collection: "
            + namespace
            + " index: "
            + index.name()
            + (index.collation() == null
                ? ""
                : " collation: " + ValueText.of(index.collation().document()))
            + " dup key: "
            + ValueText.of(CollationKeys.shown(keyValue, index.collation())));
    this.keyPattern = index.definition().key();
    this.keyValue = keyValue;
    this.collation = index.collation();
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
  RawDocument keyValue() {
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
