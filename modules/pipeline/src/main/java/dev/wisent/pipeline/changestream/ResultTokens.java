package dev.wisent.pipeline.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** Checks that the results of a stream's stages still have the tokens of their events. */
public final class ResultTokens {
  private ResultTokens() {}

  /**
   * The token of a result; fails where a stage has changed it.
   *
   * @param event the token of the event that the result is made of
   * @param id the same as the event has it
   */
  public static ResumeToken of(RawDocument result, ResumeToken event, RawDocument id) {
    RawValue found = result.get("_id");
    if (found != null && found.isDocument()) {
      if (found.asDocument().equals(id)) {
        return event;
      }
      if (result.get("splitEvent") != null) {
        ResumeToken fragment = ResumeToken.parse(found.asDocument());
        if (fragment.isFragmentOf(event)) {
          return fragment;
        }
      }
    }
    throw new CommandException(
        ErrorCode.CHANGE_STREAM_FATAL_ERROR,
        "Encountered an event whose _id field, which contains the resume token, was modified by the"
            + " pipeline. Modifying the _id field of an event makes it impossible to resume the"
            + " stream from that point. Only transformations that retain the unmodified _id field"
            + " are allowed. Expected: { \"_id\" : "
            + event
            + " } but found: "
            + (found == null ? "{ \"_id\" : MISSING }" : "{ \"_id\" : " + found + " }"));
  }

  /**
   * Whether the client has a result already: of the event that it has a part of, only the parts
   * after that are given.
   *
   * @param start the part that the stream goes on after; null for none
   */
  public static boolean isBefore(ResumeToken result, ResumeToken event, ResumeToken start) {
    if (start == null || !start.isFragmentOf(event)) {
      return false;
    }
    if (result.equals(event)) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "Attempted to resume from a split event fragment, but the event in the resumed stream was"
              + " not large enough to be split");
    }
    return result.compareTo(start) <= 0;
  }

  /** What a stream fails with that goes on after a part of an event, and does not split events. */
  public static CommandException notSplit() {
    return new CommandException(
        ErrorCode.CHANGE_STREAM_FATAL_ERROR,
        "To resume from a split event, the $changeStream pipeline must include a"
            + " $changeStreamSplitLargeEvent stage");
  }
}
