package dev.wisent.database.oplog;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What this member has applied that others have written, since its start. Thread-safe. */
public final class AppliedCounts {
  private final LongAdder inserts = new LongAdder();
  private final LongAdder updates = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder commands = new LongAdder();
  private final LongAdder others = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Counts an entry of the oplog. */
  public void entry(RawDocument entry) {
    RawValue kind = entry.get("op");
    LongAdder counter =
        switch (kind == null || !kind.isString() ? "" : kind.asString()) {
          case "i" -> inserts;
          case "u" -> updates;
          case "d" -> deletes;
          case "c" -> commands;
          default -> others;
        };
    counter.increment();
  }

  /** Counts what was applied in one step. */
  public void batch(long itsBytes, long itsNanos) {
    batches.increment();
    bytes.add(itsBytes);
    nanos.add(itsNanos);
  }

  public long inserts() {
    return inserts.sum();
  }

  public long updates() {
    return updates.sum();
  }

  public long deletes() {
    return deletes.sum();
  }

  public long commands() {
    return commands.sum();
  }

  /** All entries, also those that change nothing. */
  public long entries() {
    return inserts() + updates() + deletes() + commands() + others.sum();
  }

  public long batches() {
    return batches.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.sum());
  }
}
