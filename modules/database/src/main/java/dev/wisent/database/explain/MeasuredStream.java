package dev.wisent.database.explain;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.exec.LookupReadCounts;
import dev.wisent.pipeline.DocumentStream;

/** Counts the documents of another stream and takes its time. */
final class MeasuredStream implements DocumentStream {
  private final DocumentStream input;
  private final Clock clock;
  private final LookupReadCounts reads;
  private long returned;
  private long nanos;

  /**
   * @param reads what it reads of other collections; null where that is not to be told
   */
  MeasuredStream(DocumentStream input, Clock clock, LookupReadCounts reads) {
    this.input = input;
    this.reads = reads;
    this.clock = clock;
  }

  @Override
  public RawDocument next() {
    long start = clock.monotonicNanos();
    RawDocument document = input.next();
    nanos += clock.monotonicNanos() - start;
    if (document != null) {
      returned++;
    }
    return document;
  }

  PlanReport.StageRun toRun() {
    var use = new BsonBuilder();
    input.appendUse(use);
    if (reads != null) {
      reads.append(use);
    }
    return new PlanReport.StageRun(returned, nanos, use.toDocument());
  }
}
