package dev.wisent.pipeline;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.SortKeyGenerator;
import dev.wisent.pipeline.sort.SortPattern;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * One sorted stream of several that are sorted alike. Of equal documents those of an earlier stream
 * come first. Belongs to one thread.
 */
final class SortedMerge implements DocumentStream {
  private final SortKeyGenerator keys;
  private final List<DocumentStream> inputs;
  private final PriorityQueue<Head> heads = new PriorityQueue<>();
  private boolean opened;

  /** The input whose document was given last; it goes on when the next document is asked for. */
  private int last = -1;

  /** The first document of an input that was not given yet. */
  private record Head(byte[] key, int input, RawDocument document) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      int order = Arrays.compareUnsigned(key, other.key);
      return order == 0 ? Integer.compare(input, other.input) : order;
    }
  }

  SortedMerge(SortPattern pattern, List<DocumentStream> inputs) {
    this.keys = new SortKeyGenerator(pattern);
    this.inputs = List.copyOf(inputs);
  }

  @Override
  public RawDocument next() {
    if (!opened) {
      opened = true;
      for (int i = 0; i < inputs.size(); i++) {
        advance(i);
      }
    } else if (last >= 0) {
      advance(last);
    }
    Head first = heads.poll();
    last = first == null ? -1 : first.input;
    return first == null ? null : first.document;
  }

  private void advance(int input) {
    RawDocument document = inputs.get(input).next();
    if (document != null) {
      heads.add(new Head(keys.key(document), input, document));
    }
  }
}
