package dev.wisent.query.key;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import java.util.Set;

/** Keys with the hash of one field among the values of others. None of them may be an array. */
final class HashedKeyExtractor implements KeyExtractor {
  private final KeyPattern pattern;
  private final boolean sparse;
  private final int ident;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();

  HashedKeyExtractor(KeyPattern pattern, boolean sparse, int ident) {
    this.pattern = pattern;
    this.sparse = sparse;
    this.ident = ident;
  }

  @Override
  public void extract(RawDocument document, KeySink sink) {
    encoder.reset();
    encoder.appendIdent(ident);
    boolean any = false;
    for (KeyPattern.Field field : pattern.fields()) {
      RawValue value = PlainValues.valueOrArray(document, field.path());
      if (value == null) {
        value = RawValue.NULL;
      } else if (value.isArray()) {
        throw new CommandException(
            ErrorCode.HASHED_INDEX_ON_ARRAY,
            "hashed indexes do not currently support array values. Found array at path: "
                + PlainValues.pathToArray(document, field.path()));
      } else {
        any = true;
        value = Collation.key(pattern.collation(), value);
      }
      encoder.append(
          field.kind() == KeyPattern.FieldKind.HASH
              ? RawValue.ofInt64(HashedValue.of(value))
              : value,
          field.descending());
    }
    if (any || !sparse) {
      sink.accept(encoder);
    }
  }

  @Override
  public boolean multikey() {
    return false;
  }

  @Override
  public long arrayParts(int field) {
    return 0;
  }

  @Override
  public Set<FieldPath> arrayPaths() {
    return Set.of();
  }
}
