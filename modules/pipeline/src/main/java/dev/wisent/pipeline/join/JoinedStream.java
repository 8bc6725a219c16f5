package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.NestedField;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.query.path.FieldPath;
import java.util.function.Supplier;

/** Documents with their matches: all of them in an array, or a document for each. */
final class JoinedStream implements DocumentStream {
  private final JoinMatches source;
  private final FieldPath as;
  private final UnwindStage unwind;
  private final Supplier<CommandException> tooLarge;
  private final BsonBuilder out = new BsonBuilder();
  private RawDocument document;
  private DocumentStream matches;
  private long index;

  /**
   * @param unwind null for an array
   * @param tooLarge the complaint about an array that makes a document too large
   */
  JoinedStream(
      JoinMatches source, FieldPath as, UnwindStage unwind, Supplier<CommandException> tooLarge) {
    this.source = source;
    this.as = as;
    this.unwind = unwind;
    this.tooLarge = tooLarge;
  }

  @Override
  public RawDocument next() {
    return unwind == null ? gathered() : unwound();
  }

  private RawDocument gathered() {
    document = source.next();
    if (document == null) {
      return null;
    }
    matches = source.matches();
    return written(this::appendAll);
  }

  private void appendAll(byte[] name, BsonBuilder to) {
    to.startArray(name);
    int start = to.position();
    RawDocument match;
    for (int i = 0; (match = matches.next()) != null; i++) {
      to.appendDocument(i, match);
      if (to.position() - start > Limits.GATHERED_BYTES_MAX) {
        throw tooLarge.get();
      }
    }
    to.end();
  }

  private RawDocument unwound() {
    while (true) {
      if (matches != null) {
        RawDocument match = matches.next();
        if (match != null) {
          RawDocument joined = written((name, to) -> to.append(name, RawValue.ofDocument(match)));
          return numbered(joined, RawValue.ofInt64(index++));
        }
        matches = null;
        if (index == 0 && unwind.preserve()) {
          return numbered(written((name, to) -> {}), RawValue.NULL);
        }
      }
      document = source.next();
      if (document == null) {
        return null;
      }
      matches = source.matches();
      index = 0;
    }
  }

  private RawDocument written(NestedField.Writer value) {
    out.reset(0);
    NestedField.append(document, as, value, out);
    out.end();
    return new RawDocument(out.bytes(), 0, out.position());
  }

  private RawDocument numbered(RawDocument joined, RawValue number) {
    return unwind.indexPath() == null
        ? joined
        : NestedField.set(joined, unwind.indexPath(), number);
  }
}
