package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.failpoint.ForcedErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells drivers which errors of change streams they can go on after. Thread-safe. */
final class ResumableErrors {
  private static final String RESUMABLE_LABEL = "ResumableChangeStreamError";
  private static final String NON_RESUMABLE_LABEL = "NonResumableChangeStreamError";

  /** Beside those after which a write may be sent again. */
  private static final Set<Integer> RESUMABLE =
      Stream.of(
              ErrorCode.FAILED_TO_SATISFY_READ_PREFERENCE,
              ErrorCode.STALE_EPOCH,
              ErrorCode.STALE_CONFIG,
              ErrorCode.RETRY_CHANGE_STREAM,
              ErrorCode.RESUME_TENANT_CHANGE_STREAM,
              ErrorCode.RESOURCE_EXHAUSTED)
          .map(ErrorCode::code)
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<Integer> NON_RESUMABLE =
      Set.of(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR.code(), ErrorCode.CHANGE_STREAM_HISTORY_LOST.code());

  private final CursorRegistry cursors;

  ResumableErrors(CursorRegistry cursors) {
    this.cursors = cursors;
  }

  /** The labels of an error, with the one for change streams if it belongs there. */
  List<String> label(CommandRequest request, CommandException error, List<String> labels) {
    if (error instanceof ForcedErrorException forced && forced.givenLabels() != null) {
      return labels;
    }
    int code = ErrorReply.numberOf(error);
    if (NON_RESUMABLE.contains(code)) {
      return with(NON_RESUMABLE_LABEL, labels);
    }
    return isResumable(code) && isOfChangeStream(request) ? with(RESUMABLE_LABEL, labels) : labels;
  }

  private static List<String> with(String label, List<String> labels) {
    var more = new ArrayList<>(labels);
    more.add(label);
    return more;
  }

  private static boolean isResumable(int code) {
    return RESUMABLE.contains(code) || RetryableErrors.isRetryable(code);
  }

  private boolean isOfChangeStream(CommandRequest request) {
    return switch (request.name()) {
      case "aggregate" -> opensChangeStream(request);
      case "getMore" -> {
        RawValue id = request.argument();
        yield request.isOfChangeStream()
            || (id.type() == ElementType.INT64 && cursors.isChangeStream(id.asInt64()));
      }
      default -> false;
    };
  }

  private static boolean opensChangeStream(CommandRequest request) {
    RawValue pipeline = request.body().get("pipeline");
    if (pipeline == null || !pipeline.isArray()) {
      return false;
    }
    ElementCursor stages = pipeline.elements();
    return stages.next()
        && stages.value().isDocument()
        && stages.value().asDocument().get(ChangeStreamStage.NAME) != null;
  }
}
