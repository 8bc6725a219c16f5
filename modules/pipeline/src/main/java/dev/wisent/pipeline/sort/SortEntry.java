package dev.wisent.pipeline.sort;

import java.util.Arrays;
import java.util.Comparator;

/**
 * A document with its sort key.
 *
 * @param sequence decides between equal keys: the number of the run when runs are merged
 */
public record SortEntry(byte[] key, long sequence, SortedDocument document) {
  static final Comparator<SortEntry> ORDER =
      (a, b) -> {
        int keys = Arrays.compareUnsigned(a.key, b.key);
        return keys != 0 ? keys : Long.compare(a.sequence, b.sequence);
      };
}
