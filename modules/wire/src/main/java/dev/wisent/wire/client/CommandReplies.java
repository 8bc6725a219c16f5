package dev.wisent.wire.client;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** The outcome that a reply states. */
public final class CommandReplies {
  private CommandReplies() {}

  public static boolean isOk(RawDocument reply) {
    RawValue ok = reply.get("ok");
    return ok != null && ok.isTruthy();
  }

  /**
   * @throws CommandException the error of a reply without {@code ok: 1}, with its labels
   */
  public static void requireOk(RawDocument reply) {
    if (isOk(reply)) {
      return;
    }
    RawValue code = reply.get("code");
    RawValue message = reply.get("errmsg");
    throw new CommandException(
        ErrorCode.ofNumber(code != null && code.isNumber() ? (int) code.toLong() : 0),
        message != null && message.isString() ? message.asString() : reply.toJson(),
        labels(reply));
  }

  /** The labels of an error in a reply. */
  static List<String> labels(RawDocument reply) {
    List<String> labels = new ArrayList<>(0);
    RawValue given = reply.get("errorLabels");
    if (given != null && given.isArray()) {
      ElementCursor each = given.elements();
      while (each.next()) {
        if (each.value().isString()) {
          labels.add(each.value().asString());
        }
      }
    }
    return labels;
  }
}
