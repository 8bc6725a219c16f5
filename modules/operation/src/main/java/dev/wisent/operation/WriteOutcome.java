package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** What a batch of writes did: counts, new ids, and the statements that failed. */
public final class WriteOutcome {
  private long matched;
  private long modified;
  private final List<Upserted> upserted = new ArrayList<>(0);
  private final List<Failure> failures = new ArrayList<>(0);
  private final List<Integer> retried = new ArrayList<>(0);

  /** An upsert that inserted, by the index of its statement. */
  public record Upserted(int index, RawValue id) {}

  /** A statement that failed. */
  public record Failure(int index, CommandException error) {}

  public void addMatched(long count) {
    matched += count;
  }

  public void addModified(long count) {
    modified += count;
  }

  public void addUpserted(int index, RawValue id) {
    upserted.add(new Upserted(index, id));
  }

  /** Notes that a statement was done before: what it did then is counted here, too. */
  public void addRetried(int statementId) {
    retried.add(statementId);
  }

  /**
   * Notes that a statement failed. An operation that was interrupted fails as a whole instead, and
   * so does one on a member that is not primary any more.
   */
  public void addFailure(int index, CommandException error) {
    if (error.code().isInterruption()
        || error.code() == ErrorCode.NOT_WRITABLE_PRIMARY
        || error.code() == ErrorCode.PRIMARY_STEPPED_DOWN) {
      throw error;
    }
    failures.add(new Failure(index, error));
  }

  /** Documents inserted, deleted, or matched by updates (upserts not counted). */
  public long matched() {
    return matched;
  }

  public long modified() {
    return modified;
  }

  public List<Upserted> upserted() {
    return upserted;
  }

  public List<Failure> failures() {
    return failures;
  }

  /** The numbers of the statements that were done before. */
  public List<Integer> retried() {
    return retried;
  }
}
