package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.Set;

/**
 * The error that another node replied with. All its fields reach the client: also numbers and names
 * that are not known here. One that stands in {@code writeErrors} is of the same kind.
 */
public final class RemoteErrorException extends CommandException {
  private static final long serialVersionUID = 1L;

  /** What each node states of its own in a reply, and what the error has anyway. */
  private static final Set<String> NOT_EXTRA =
      Set.of(
          "ok",
          "errmsg",
          "code",
          "codeName",
          "errorLabels",
          "index",
          "$clusterTime",
          "operationTime",
          "topologyVersion",
          "electionId",
          "opTime");

  private final transient RawDocument reply;

  private RemoteErrorException(RawDocument reply, String message) {
    super(ErrorCode.ofNumber(numberOf(reply)), message, CommandReplies.labels(reply));
    this.reply = reply;
  }

  /** The error of a reply without {@code ok: 1}, or of an entry of {@code writeErrors}. */
  public static RemoteErrorException of(RawDocument reply) {
    RawValue message = reply.get("errmsg");
    return new RemoteErrorException(
        reply, message != null && message.isString() ? message.asString() : reply.toJson());
  }

  private static int numberOf(RawDocument reply) {
    RawValue code = reply.get("code");
    return code != null && code.isNumber() ? (int) code.toLong() : ErrorCode.UNKNOWN_ERROR.code();
  }

  /** The number, also one that {@link #code()} does not know. */
  public int number() {
    return numberOf(reply);
  }

  /** The number of an error, of another node or of this one. */
  public static int numberOf(CommandException error) {
    return error instanceof RemoteErrorException remote ? remote.number() : error.code().code();
  }

  /** Whether a call that failed so is for another host, or for the same one anew. */
  public static boolean isAboutHost(CommandException error) {
    return error instanceof RemoteErrorException remote
        ? ErrorCode.isStateChange(remote.number())
        : error.code() == ErrorCode.HOST_UNREACHABLE;
  }

  public String codeName() {
    RawValue name = reply.get("codeName");
    return name != null && name.isString() ? name.asString() : code().codeName();
  }

  /** All that the other node said. */
  public RawDocument reply() {
    return reply;
  }

  /** Adds the fields that this error has beside those of every error. */
  public void appendExtra(BsonBuilder out) {
    ElementCursor fields = reply.elements();
    while (fields.next()) {
      if (!NOT_EXTRA.contains(fields.name())) {
        out.appendElement(fields);
      }
    }
  }

  /** The other node has said what it was doing. */
  @Override
  public RemoteErrorException during(String context) {
    return this;
  }
}
