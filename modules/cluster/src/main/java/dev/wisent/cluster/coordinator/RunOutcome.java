package dev.wisent.cluster.coordinator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.UUID;

/**
 * What came of a request, kept for a while under the request's key: a router that has lost the
 * answer asks again, and gets the same one.
 */
public final class RunOutcome {
  private RunOutcome() {}

  public static RawDocument succeeded(UUID key, long wallMillis, RawDocument result) {
    return ended(key, wallMillis).appendDocument("result", result).toDocument();
  }

  static RawDocument failed(UUID key, long wallMillis, CommandException failure) {
    return ended(key, wallMillis).appendDocument("failure", document(failure)).toDocument();
  }

  private static BsonBuilder ended(UUID key, long wallMillis) {
    return new BsonBuilder().appendUuid("_id", key).appendDate("ended", wallMillis);
  }

  /** The result of an outcome; throws its failure. */
  public static RawDocument resultOf(RawDocument outcome) {
    RawValue failure = outcome.get("failure");
    if (failure != null) {
      throw failure(failure.asDocument());
    }
    return outcome.get("result").asDocument();
  }

  static RawDocument document(CommandException failure) {
    return new BsonBuilder()
        .appendInt32("code", failure.code().code())
        .appendString("errmsg", failure.getMessage())
        .toDocument();
  }

  static CommandException failure(RawDocument stored) {
    return new CommandException(
        ErrorCode.ofNumber(stored.get("code").asInt32()), stored.get("errmsg").asString());
  }
}
