package dev.wisent.server.cursor;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.ShownCommand;
import dev.wisent.server.privilege.PassedChecks;

/**
 * Where an open cursor comes from.
 *
 * @param command the command that opened it, as reports show it
 * @param planSummary how it reaches its data; null if nothing was planned
 * @param documents how many documents the first batch had
 * @param owner the user that opened it; null if it was none
 * @param checks what allowed the command, and has to allow each further batch
 */
public record CursorOrigin(
    RawDocument command, String planSummary, long documents, UserName owner, PassedChecks checks) {
  private static final int COMMAND_BYTES_MAX = 4096;

  /** Of a cursor that belongs to no user. */
  public CursorOrigin(RawDocument command, String planSummary, long documents) {
    this(command, planSummary, documents, null, PassedChecks.NONE);
  }

  /** Of a command that runs now. A large one does not stay for its cursor. */
  public static CursorOrigin of(CommandRequest request, String planSummary, long documents) {
    return new CursorOrigin(
        ShownCommand.of(request.body(), request.name(), request.comment(), COMMAND_BYTES_MAX)
            .detached(),
        planSummary,
        documents,
        request.principal().name().orElse(null),
        request.principal().passedChecks());
  }
}
