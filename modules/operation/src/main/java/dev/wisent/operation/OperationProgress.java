package dev.wisent.operation;

import dev.wisent.bson.BsonBuilder;
import java.util.function.Consumer;

/** How far a long operation has come. Written by the thread that runs it, read by any thread. */
public final class OperationProgress {
  private final String name;
  private final long total;
  private final Consumer<BsonBuilder> details;
  private volatile long done;

  /**
   * @param name what is being done, such as {@code Index Build: scanning collection}
   */
  public OperationProgress(String name, long total) {
    this(name, total, out -> {});
  }

  /**
   * @param details adds fields of its own to what currentOp shows, on any thread
   */
  public OperationProgress(String name, long total, Consumer<BsonBuilder> details) {
    this.name = name;
    this.total = total;
    this.details = details;
  }

  public void appendDetails(BsonBuilder out) {
    details.accept(out);
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

  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
  public void advance() {
    done++;
  }

  /** As MongoDB words it, name twice: once for the operation, once for the meter. */
  public String message() {
    return name + " " + name + ": " + done + "/" + total + " " + percent() + "%";
  }
}
