package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.base.RandomSource;
import dev.wisent.operation.SessionId;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.SessionArguments;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.session.SessionRegistry;
import dev.wisent.server.transaction.ClientTransactions;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Commands that begin, keep and end logical sessions, with what belongs to them. */
public final class SessionCommands {
  private final SessionRegistry sessions;
  private final CursorRegistry cursors;
  private final OperationRegistry operations;
  private final ClientTransactions transactions;
  private final RandomSource random;

  public SessionCommands(
      SessionRegistry sessions,
      CursorRegistry cursors,
      OperationRegistry operations,
      ClientTransactions transactions,
      RandomSource random) {
    this.transactions = transactions;
    this.random = random;
    this.sessions = sessions;
    this.cursors = cursors;
    this.operations = operations;
  }

  /** {@code startSession}. */
  public Command start() {
    return (request, context, reply) -> {
      UUID uuid = random.nextUuid();
      if (request.principal().isRestricted() && request.principal().name().isEmpty()) {
        throw new CommandException(ErrorCode.UNAUTHORIZED, "there are no users authenticated");
      }
      SessionId id = SessionId.of(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
      sessions.used(SessionArguments.owned(id, request.principal()));
      reply.startDocument("id");
      reply.appendUuid("id", uuid);
      reply.end();
      reply.appendInt32("timeoutMinutes", Limits.SESSION_TIMEOUT_MINUTES);
    };
  }

  /** {@code refreshSessions}. */
  public Command refresh() {
    return (request, context, reply) -> NamedSessions.ids(request).forEach(sessions::used);
  }

  /** {@code endSessions}: what is running in them comes to its end. */
  public Command end() {
    return (request, context, reply) -> {
      Set<SessionId> ids = Set.copyOf(NamedSessions.ids(request));
      ids.forEach(sessions::end);
      transactions.abortOf(ids::contains);
      cursors.killAll(cursor -> cursor.isOfSession(ids::contains));
    };
  }

  /** {@code killSessions}: these, or all of the user without any. */
  public Command kill() {
    return (request, context, reply) -> kill(NamedSessions.idsOrAll(request), context);
  }

  /** {@code killAllSessions}: of all users, or of some. */
  public Command killAll() {
    return (request, context, reply) -> kill(NamedSessions.ofUsers(request), context);
  }

  /** {@code killAllSessionsByPattern}: all for an empty list, else those that a pattern fits. */
  public Command killByPattern() {
    return (request, context, reply) -> kill(NamedSessions.fitting(request), context);
  }

  /**
   * Ends sessions with their cursors, their transactions and what runs in them, but for the killer
   * itself.
   */
  private void kill(Predicate<SessionId> condition, CommandContext context) {
    sessions.endIf(condition);
    operations.running().stream()
        .filter(operation -> operation.context() != context.operation())
        .filter(operation -> operation.request().session() != null)
        .filter(operation -> condition.test(operation.request().session()))
        .forEach(operation -> operation.context().kill(ErrorCode.INTERRUPTED));
    transactions.abortOf(condition);
    cursors.killAll(cursor -> cursor.isOfSession(condition));
  }
}
