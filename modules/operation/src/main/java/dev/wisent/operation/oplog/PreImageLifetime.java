package dev.wisent.operation.oplog;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import java.util.List;

/**
 * How long images of documents before their change are kept, as the cluster parameter {@code
 * changeStreamOptions} says. Without a limit they are kept as long as the oplog entries of the
 * changes.
 *
 * @param seconds 0 for no limit
 */
public record PreImageLifetime(long seconds) {
  /** The name of the parameter, and the {@code _id} of the document that holds its value. */
  public static final String PARAMETER = "changeStreamOptions";

  public static final PreImageLifetime UNLIMITED = new PreImageLifetime(0);

  /** Where cluster parameters are stored. */
  private static final Namespace NAMESPACE = new Namespace("config", "clusterParameters");

  private static final String IMAGES = "preAndPostImages";
  private static final String SECONDS = "expireAfterSeconds";
  private static final String OFF = "off";
  private static final RawDocument FILTER = RawDocument.parse("{_id: '" + PARAMETER + "'}");

  /** Finds the stored value. */
  public static FindRequest query() {
    return FindRequest.of(NAMESPACE, FILTER);
  }

  /**
   * A value of the parameter.
   *
   * @throws CommandException BadValue with MongoDB's words
   */
  public static PreImageLifetime parse(RawDocument value) {
    RawValue images = value.get(IMAGES);
    if (images == null || !images.isDocument()) {
      throw missing(IMAGES);
    }
    RawValue seconds = images.asDocument().get(SECONDS);
    if (seconds == null) {
      throw missing(SECONDS);
    }
    if (seconds.isString()) {
      if (!seconds.asString().equals(OFF)) {
        throw bad("Non-numeric value of 'expireAfterSeconds' should be 'off'");
      }
      return UNLIMITED;
    }
    if (!seconds.isNumber()) {
      throw bad(
          "Failed parsing new changeStreamOptions valueBSON field"
              + " 'changeStreamOptions.preAndPostImages.expireAfterSeconds' is the wrong type '"
              + ElementType.alias(seconds.type())
              + "', expected types '[string, long]'");
    }
    if (seconds.toLong() <= 0) {
      throw bad("Numeric value of 'expireAfterSeconds' should be positive");
    }
    return new PreImageLifetime(seconds.toLong());
  }

  private static CommandException missing(String field) {
    return bad(
        "Failed parsing new changeStreamOptions valueBSON field 'changeStreamOptions."
            + field
            + "' is missing but a required field");
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  /** Stores it as the value of the parameter. */
  public UpdateRequest storing(long clusterTime) {
    var value = new BsonBuilder();
    value.appendString("_id", PARAMETER);
    value.appendTimestamp("clusterParameterTime", clusterTime);
    append(value);
    var statement =
        new UpdateStatement(
            FILTER,
            RawValue.ofDocument(value.toDocument()),
            false,
            true,
            List.of(),
            RawDocument.EMPTY,
            null);
    return new UpdateRequest(NAMESPACE, List.of(statement), true, true);
  }

  /** Writes the fields of the parameter's value. */
  public void append(BsonBuilder out) {
    out.startDocument(IMAGES);
    if (seconds == 0) {
      out.appendString(SECONDS, OFF);
    } else {
      out.appendInt64(SECONDS, seconds);
    }
    out.end();
  }
}
