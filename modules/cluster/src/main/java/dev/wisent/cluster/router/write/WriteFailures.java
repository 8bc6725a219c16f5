package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.stream.Collectors;

/** What the errors of shards mean for a batch. */
final class WriteFailures {
  private static final String NO_WRITES = "NoWritesPerformed";

  private WriteFailures() {}

  /**
   * Whether an error that a shard replies with ends the command, so that a driver runs the command
   * or its transaction again; otherwise it is the error of the statements.
   */
  static boolean endsCommand(CommandException error, OperationContext operation) {
    return error.code().isInterruption()
        || !error.labels().isEmpty()
        || (RoutedOperation.isStatement(operation)
            && RetryableErrors.isTransientInTransaction(RemoteErrorException.numberOf(error)))
        || (operation.retryableWrite() != null
            && RetryableErrors.isRetryable(RemoteErrorException.numberOf(error)));
  }

  /** The error of a command. A shard that has written nothing does not speak for the others. */
  static CommandException ofCommand(CommandException error, boolean othersWrote) {
    if (!othersWrote
        || !error.labels().contains(NO_WRITES)
        || !(error instanceof RemoteErrorException remote)) {
      return error;
    }
    var out = new BsonBuilder(remote.reply().length());
    ElementCursor fields = remote.reply().elements();
    while (fields.next()) {
      if (fields.name().equals("errorLabels")) {
        out.startArray("errorLabels");
        List<String> labels =
            error.labels().stream().filter(label -> !label.equals(NO_WRITES)).toList();
        for (int i = 0; i < labels.size(); i++) {
          out.appendString(Integer.toString(i), labels.get(i));
        }
        out.end();
      } else {
        out.appendElement(fields);
      }
    }
    return RemoteErrorException.of(out.toDocument());
  }

  /** The error of a statement that failed on several shards, as MongoDB's router says it. */
  static CommandException combined(List<CommandException> errors) {
    CommandException first = errors.getFirst();
    if (errors.stream()
        .allMatch(
            error ->
                RemoteErrorException.numberOf(error) == RemoteErrorException.numberOf(first))) {
      return first;
    }
    var out = new BsonBuilder(256);
    out.appendInt32("code", ErrorCode.MULTIPLE_ERRORS_OCCURRED.code());
    out.startArray("causedBy");
    for (int i = 0; i < errors.size(); i++) {
      out.startDocument(i);
      out.appendInt32("code", RemoteErrorException.numberOf(errors.get(i)));
      out.appendString("errmsg", errors.get(i).getMessage());
      out.end();
    }
    out.end();
    out.appendString(
        "errmsg",
        errors.stream().map(Throwable::getMessage).collect(Collectors.joining(" :: and :: ")));
    return RemoteErrorException.of(out.toDocument());
  }
}
