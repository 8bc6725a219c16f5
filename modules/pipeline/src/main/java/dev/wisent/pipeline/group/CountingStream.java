package dev.wisent.pipeline.group;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.GatheringStream;
import java.util.function.LongFunction;

/** One document made from the number of documents in another stream; none where there are none. */
final class CountingStream implements GatheringStream {
  private final DocumentStream input;
  private final LongFunction<RawDocument> result;
  private long count;
  private boolean done;

  CountingStream(DocumentStream input, LongFunction<RawDocument> result) {
    this.input = input;
    this.result = result;
  }

  @Override
  public void gather() {
    while (input.next() != null) {
      count++;
    }
  }

  @Override
  public RawDocument next() {
    if (done) {
      return null;
    }
    done = true;
    gather();
    return count == 0 ? null : result.apply(count);
  }
}
