package dev.wisent.server.analysis;

import dev.wisent.bson.RawDocument;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Samples that wait to be written. What does not fit is dropped and counted. */
final class SampleBuffer {
  private static final int DOCUMENTS_MAX = 5_000;
  private static final int BYTES_MAX = 16 << 20;
  private static final int DOCUMENT_BYTES_MAX = 1 << 20;

  private final Deque<RawDocument> waiting = new ArrayDeque<>();
  private long bytes;
  private long dropped;

  synchronized boolean add(RawDocument sample) {
    if (sample.length() > DOCUMENT_BYTES_MAX
        || waiting.size() == DOCUMENTS_MAX
        || bytes + sample.length() > BYTES_MAX) {
      dropped++;
      return false;
    }
    waiting.add(sample);
    bytes += sample.length();
    return true;
  }

  /** The oldest ones, which stay until {@link #remove}. */
  synchronized List<RawDocument> oldest(int max) {
    var some = new ArrayList<RawDocument>(Math.min(max, waiting.size()));
    for (RawDocument each : waiting) {
      if (some.size() == max) {
        break;
      }
      some.add(each);
    }
    return some;
  }

  /** Forgets so many of the oldest ones: they are written. */
  synchronized void remove(int count) {
    for (int i = 0; i < count; i++) {
      bytes -= waiting.remove().length();
    }
  }

  synchronized long dropped() {
    return dropped;
  }
}
