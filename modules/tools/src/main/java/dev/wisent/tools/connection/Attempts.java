package dev.wisent.tools.connection;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoCursorNotFoundException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.util.Set;

/** Repeats what changes nothing when it is repeated, while another primary is elected. */
public final class Attempts {
  private static final int MAX = 20;
  private static final int WAIT_MILLIS = 500;
  private static final Set<Integer> CODES =
      Set.of(
          6, // HostUnreachable
          7, // HostNotFound
          89, // NetworkTimeout
          91, // ShutdownInProgress
          189, // PrimarySteppedDown
          9_001, // SocketException
          10_107, // NotWritablePrimary
          11_600, // InterruptedAtShutdown
          11_602, // InterruptedDueToReplStateChange
          13_435, // NotPrimaryNoSecondaryOk
          13_436); // NotPrimaryOrSecondary

  private Attempts() {}

  /** A piece of work that may be repeated. */
  @FunctionalInterface
  public interface Work {
    void run() throws ToolException;
  }

  /** A piece of work with a result. */
  @FunctionalInterface
  public interface Question<T> {
    T ask() throws ToolException;
  }

  public static void untilItSucceeds(Surroundings surroundings, Work work) throws ToolException {
    Question<Boolean> question =
        () -> {
          work.run();
          return Boolean.TRUE;
        };
    untilAnswered(surroundings, question);
  }

  public static <T> T untilAnswered(Surroundings surroundings, Question<T> question)
      throws ToolException {
    return untilAnswered(surroundings.interruption(), question);
  }

  public static <T> T untilAnswered(Interruption interruption, Question<T> question)
      throws ToolException {
    for (int attempt = 1; ; attempt++) {
      try {
        return question.ask();
      } catch (MongoException e) {
        if (attempt == MAX || !isTransient(e)) {
          throw e;
        }
      }
      interruption.await(WAIT_MILLIS);
      interruption.check();
    }
  }

  /** Whether another attempt may succeed. */
  public static boolean isTransient(MongoException e) {
    return e.hasErrorLabel("RetryableWriteError")
        || e.hasErrorLabel("RetryableError")
        || e.hasErrorLabel("ResumableChangeStreamError")
        || e instanceof MongoCursorNotFoundException
        || e instanceof MongoTimeoutException // no primary for as long as the driver waits
        || e instanceof MongoConnectionPoolClearedException // another thread has met the failure
        || e instanceof MongoSocketException
        || e instanceof MongoNotPrimaryException
        || e instanceof MongoNodeIsRecoveringException
        || isTransient(e.getCode())
        || (e instanceof MongoBulkWriteException bulk
            && bulk.getWriteConcernError() != null
            && isTransient(bulk.getWriteConcernError().getCode()));
  }

  /** The same of a code of servers, which give labels only where the driver may repeat. */
  public static boolean isTransient(int code) {
    return CODES.contains(code);
  }
}
