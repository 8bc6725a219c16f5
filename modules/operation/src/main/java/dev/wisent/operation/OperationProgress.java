package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import java.util.function.Supplier;

/** How far a long operation has come. Written by the thread that runs it, read by any thread. */
public final class OperationProgress {
  private final String name;
  private final long total;
  private volatile long done;
  private volatile Supplier<RawDocument> details = () -> RawDocument.EMPTY;

  /**
   * @param name what is being done, such as {@code Index Build: scanning collection}
   */
  public OperationProgress(String name, long total) {
    this.name = name;
    this.total = total;
  }

  public String name() {
    return name;
  }

  public long done() {
    return done;
  }

  /** What {@link #done} will be in the end, as far as is known. */
  public long total() {
    return total;
  }

  public int percent() {
    return total <= 0 ? 100 : (int) Math.min(100, done * 100 / total);
  }

  /** What else is told of the operation, as fields of its own. */
  public RawDocument details() {
    return details.get();
  }

  /**
   * @param told may be asked by any thread
   */
  public OperationProgress details(Supplier<RawDocument> told) {
    details = told;
    return this;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  public void advance() {
    done++;
  }

  /** As MongoDB words it, name twice: once for the operation, once for the meter. */
  public String message() {
    return name + " " + name + ": " + done + "/" + total + " " + percent() + "%";
  }
}
