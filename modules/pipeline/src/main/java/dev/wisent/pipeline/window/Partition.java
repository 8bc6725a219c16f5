package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.util.function.LongConsumer;

/**
 * The documents of a sorted stream, partition by partition. There is a current document; others are
 * read ahead, or kept, only as far as they are asked for. A document that no other function asks
 * for is never copied.
 */
final class Partition {
  private final DocumentStream input;
  private final Expression key;
  private final Collation collation;
  private final DocumentBuffer buffer;
  private final LongConsumer kept;
  private final Frame frame;
  private final Frame keyFrame;

  /** What all documents of the partition have; null before the first one. */
  private RawValue keyValue;

  /** The current document where it is not in the buffer: it still belongs to the input. */
  private RawDocument borrowed;

  /** The first document of the next partition, once it was met. */
  private RawDocument upcoming;

  private long position;
  private long size;
  private boolean complete;
  private boolean started;

  /** What an advance has led to. */
  enum Advance {
    SAME_PARTITION,
    NEW_PARTITION,
    END
  }

  /**
   * @param key what documents of one partition have in common; null for all in one
   * @param kept is told how many bytes more functions keep, and throws if there is no room
   */
  Partition(
      DocumentStream input,
      Expression key,
      Collation collation,
      SortSpace space,
      LongConsumer kept) {
    this.kept = kept;
    this.input = input;
    this.key = key;
    this.collation = collation;
    this.buffer = new DocumentBuffer(space);
    this.frame = new Frame(space.meter());
    this.keyFrame = new Frame(space.meter());
  }

  /**
   * Goes on to the next document.
   *
   * @param oldest the first document of this partition that will be asked for again
   */
  Advance advance(long oldest) {
    if (!started) {
      started = true;
      RawDocument first = input.next();
      return first == null ? Advance.END : begin(first);
    }
    if (oldest <= position) {
      keepCurrent();
    }
    buffer.dropBefore(Math.min(oldest, position + 1));
    borrowed = null;
    if (position + 1 < size) {
      position++;
      return Advance.SAME_PARTITION;
    }
    if (complete) {
      RawDocument first = upcoming;
      upcoming = null;
      return first == null ? Advance.END : begin(first);
    }
    RawDocument next = input.next();
    if (next == null) {
      complete = true;
      return Advance.END;
    }
    if (!belongs(next)) {
      return begin(next);
    }
    position++;
    size++;
    borrowed = next;
    return Advance.SAME_PARTITION;
  }

  private Advance begin(RawDocument first) {
    buffer.clear();
    if (key != null) {
      keyValue = keyOf(first).detached();
    }
    position = 0;
    size = 1;
    complete = false;
    borrowed = first;
    return Advance.NEW_PARTITION;
  }

  private boolean belongs(RawDocument document) {
    return key == null || Collation.equal(collation, keyOf(document), keyValue);
  }

  private RawValue keyOf(RawDocument document) {
    RawValue value = Values.nullIfMissing(key.evaluate(keyFrame.on(document)));
    if (value.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "Cannot 'partitionBy' an expression of type array");
    }
    return value;
  }

  /** The number of the current document, from 0 on. */
  long position() {
    return position;
  }

  /** How many documents of the partition are known; all of them once one was found missing. */
  long size() {
    return size;
  }

  /** Whether the partition has a document of this number. */
  boolean has(long number) {
    while (size <= number && !complete) {
      readOne();
    }
    return number < size;
  }

  /** Reads the whole partition; gives the number of its documents. */
  long readAll() {
    while (!complete) {
      readOne();
    }
    return size;
  }

  private void readOne() {
    keepCurrent();
    RawDocument next = input.next();
    if (next == null) {
      complete = true;
    } else if (belongs(next)) {
      buffer.add(next);
      size++;
    } else {
      upcoming = RawDocument.of(next.toByteArray());
      complete = true;
    }
  }

  private void keepCurrent() {
    if (borrowed != null) {
      if (buffer.isEmpty()) {
        buffer.startAt(position);
      }
      buffer.add(borrowed);
      borrowed = null;
    }
  }

  /** A document, valid until another one is asked for. */
  Frame frame(long number) {
    return frame.on(number == position && borrowed != null ? borrowed : buffer.get(number));
  }

  /** To be called by a function that keeps so much of a document; fails if there is no room. */
  void keep(long bytes) {
    kept.accept(bytes);
  }

  /** Frees memory by writing documents to a file, where that is possible. */
  void spill() {
    buffer.spill();
  }

  long bytes() {
    return buffer.bytes();
  }

  /** Gives up what is in files. */
  void close() {
    buffer.clear();
  }
}
