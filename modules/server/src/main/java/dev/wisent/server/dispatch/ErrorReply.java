package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DocumentValidationException;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.IndexViolationException;
import dev.wisent.server.command.CollectionUuidMismatchException;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.failpoint.FailCommand;
import dev.wisent.server.failpoint.ForcedErrorException;
import dev.wisent.sharding.ShardedViewException;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.sharding.StaleDatabaseException;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;

/** The shape of errors: of a whole command, and of one statement in a batch. */
public final class ErrorReply {
  private ErrorReply() {}

  /** Fields of a failed command, {@code ok: 0} included. */
  public static void append(BsonBuilder reply, CommandException error) {
    append(reply, error, error.labels());
  }

  static void append(BsonBuilder reply, CommandException error, List<String> labels) {
    reply.appendDouble("ok", 0);
    reply.appendString("errmsg", message(error));
    reply.appendInt32("code", numberOf(error));
    reply.appendString(
        "codeName",
        switch (error) {
          case ForcedErrorException forced -> forced.codeName();
          case RemoteErrorException remote -> remote.codeName();
          default -> error.code().codeName();
        });
    appendExtra(reply, error);
    appendLabels(reply, labels);
  }

  /** The number of an error; 0 for null. */
  static int numberOf(CommandException error) {
    return switch (error) {
      case null -> 0;
      case ForcedErrorException forced -> forced.number();
      case RemoteErrorException remote -> remote.number();
      default -> error.code().code();
    };
  }

  /**
   * What a fail point adds to the reply of a command that has succeeded; returns the error's
   * number.
   */
  static int appendForced(BsonBuilder reply, FailCommand settings, CommandRequest request) {
    RawDocument error = settings.writeConcernError();
    reply.appendDocument("writeConcernError", error);
    RawValue code = error.get("code");
    int number = code != null && code.isNumber() ? (int) code.toLong() : 0;
    appendLabels(
        reply,
        settings.errorLabels() != null
            ? settings.errorLabels()
            : ErrorLabels.ofWriteConcern(request, null, number));
    return number;
  }

  /** Fields of one entry of {@code writeErrors}, apart from its index. */
  public static void appendWriteError(BsonBuilder entry, CommandException error) {
    entry.appendInt32("code", numberOf(error));
    appendExtra(entry, error);
    entry.appendString("errmsg", message(error));
  }

  /** The reply of a batch of writes of which the first one failed. */
  static void appendFirstWriteError(BsonBuilder reply, CommandException error) {
    reply.appendInt32("n", 0);
    reply.startArray("writeErrors").startDocument(0);
    reply.appendInt32("index", 0);
    appendWriteError(reply, error);
    reply.end().end();
  }

  private static String message(CommandException error) {
    return error.getMessage() == null ? error.code().codeName() : error.getMessage();
  }

  private static void appendExtra(BsonBuilder out, CommandException error) {
    switch (error) {
      case DuplicateKeyException duplicate -> {
        out.appendDocument("keyPattern", duplicate.keyPattern());
        out.appendDocument("keyValue", duplicate.shownKeyValue());
        if (duplicate.collation() != null) {
          out.appendDocument("collation", duplicate.collation().document());
        }
      }
      case DocumentValidationException invalid ->
          out.appendDocument("errInfo", invalid.information());
      case CollectionUuidMismatchException mismatch -> mismatch.append(out);
      case StaleConfigException stale -> stale.append(out);
      case StaleDatabaseException stale -> stale.append(out);
      case ShardedViewException sharded -> sharded.append(out);
      case IndexViolationException violated -> out.appendArray("violations", violated.violations());
      case ForcedErrorException forced -> {
        if (forced.extraInfo() != null) {
          out.appendAll(forced.extraInfo());
        }
      }
      case RemoteErrorException remote -> remote.appendExtra(out);
      default -> {}
    }
  }

  static void appendLabels(BsonBuilder reply, List<String> labels) {
    if (labels.isEmpty()) {
      return;
    }
    reply.startArray("errorLabels");
    for (int i = 0; i < labels.size(); i++) {
      reply.appendString(Integer.toString(i), labels.get(i));
    }
    reply.end();
  }
}
