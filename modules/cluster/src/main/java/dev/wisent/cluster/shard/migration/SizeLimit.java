package dev.wisent.cluster.shard.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;
import java.util.function.Supplier;

/** How large a range may be that is moved. */
record SizeLimit(long bytesMax, boolean forced) {
  /** MongoDB lets a chunk be a third larger than it should be. */
  private static final double TOLERANCE = 1.33;

  void check(Migration migration, long count, Supplier<List<RawDocument>> samples) {
    if (forced || bytesMax <= 0 || count == 0) {
      return;
    }
    List<RawDocument> some = samples.get();
    long average =
        Math.max(1, some.stream().mapToLong(RawDocument::length).sum() / Math.max(1, some.size()));
    if (count * average > TOLERANCE * bytesMax) {
      throw new CommandException(
          ErrorCode.CHUNK_TOO_BIG,
          ("Cannot move range: the maximum number of documents for a chunk is %d, the maximum"
                  + " chunk size is %d, average document size is %d. Found %d documents in chunk"
                  + "  ns: %s %s -> %s")
              .formatted(
                  Math.round(TOLERANCE * bytesMax / average),
                  bytesMax,
                  average,
                  count,
                  migration.namespace(),
                  RawValue.ofDocument(migration.range().min()),
                  RawValue.ofDocument(migration.range().max())));
    }
  }
}
