package dev.wisent.query.aggregate.group;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.DocumentStream;
import java.util.function.LongFunction;

/** One document made from the number of documents in another stream; none where there are none. */
final class CountingStream implements DocumentStream {
  private final DocumentStream input;
  private final LongFunction<RawDocument> result;
  private boolean done;

  CountingStream(DocumentStream input, LongFunction<RawDocument> result) {
    this.input = input;
    this.result = result;
  }

  @Override
  public RawDocument next() {
    if (done) {
      return null;
    }
    done = true;
    long count = 0;
    while (input.next() != null) {
      count++;
    }
    return count == 0 ? null : result.apply(count);
  }
}
