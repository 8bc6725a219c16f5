package dev.wisent.conformance.transaction;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import dev.wisent.conformance.fault.ClientThreads;
import dev.wisent.testkit.Deadline;
import java.time.Duration;

/** One attempt at a transaction, whose commit is sent until its outcome is known. */
final class TransactionAttempt {

  static final TransactionOptions OPTIONS =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .readPreference(ReadPreference.primary())
          .build();

  private static final Duration COMMIT_PATIENCE = Duration.ofSeconds(60);

  private TransactionAttempt() {}

  /** Errors of the database are part of the test, and are counted. */
  static Outcome run(ClientSession session, ClientThreads threads, Runnable body) {
    session.startTransaction(OPTIONS);
    try {
      body.run();
    } catch (MongoException e) {
      threads.failed(e);
      session.abortTransaction();
      return Outcome.ABORTED;
    }
    return commit(session, threads);
  }

  private static Outcome commit(ClientSession session, ClientThreads threads) {
    Deadline deadline = Deadline.after(COMMIT_PATIENCE);
    while (true) {
      try {
        session.commitTransaction();
        return Outcome.COMMITTED;
      } catch (MongoException e) {
        threads.failed(e);
        if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
          return Outcome.ABORTED;
        }
        if (!isUnknown(e) || deadline.expired()) {
          return Outcome.UNKNOWN;
        }
      }
    }
  }

  /** Whether an answer leaves open what became of a commit, so that it may be sent again. */
  static boolean isUnknown(MongoException e) {
    return e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
  }
}
