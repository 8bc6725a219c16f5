package dev.wisent.server.command.diagnostic;

import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.SessionId;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.SessionArguments;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.session.SessionRegistry;
import dev.wisent.server.transaction.ClientTransactions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
      sessions.used(SessionId.of(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()));
      reply.startDocument("id");
      reply.appendUuid("id", uuid);
      reply.end();
      reply.appendInt32("timeoutMinutes", Limits.SESSION_TIMEOUT_MINUTES);
    };
  }

  /** {@code refreshSessions}. */
  public Command refresh() {
    return (request, context, reply) -> ids(request).forEach(sessions::used);
  }

  /** {@code endSessions}: what is running in them comes to its end. */
  public Command end() {
    return (request, context, reply) -> {
      Set<SessionId> ids = ids(request);
      ids.forEach(sessions::end);
      transactions.abortOf(ids::contains);
      cursors.killAll(cursor -> cursor.isOfSession(ids::contains));
    };
  }

  /** {@code killSessions}: these, or all without any. */
  public Command kill() {
    return (request, context, reply) -> {
      Set<SessionId> ids = ids(request);
      kill(ids.isEmpty() ? id -> true : ids::contains, context);
    };
  }

  /**
   * {@code killAllSessions}: of all users, or of some, whom no session has without access control.
   */
  public Command killAll() {
    return (request, context, reply) -> {
      if (documents(request).isEmpty()) {
        kill(id -> true, context);
      }
    };
  }

  /** {@code killAllSessionsByPattern}: all for an empty list, else those that a pattern names. */
  public Command killByPattern() {
    return (request, context, reply) -> {
      List<RawDocument> patterns = documents(request);
      boolean everything = patterns.isEmpty();
      var ids = new HashSet<SessionId>();
      for (RawDocument pattern : patterns) {
        everything |= pattern.isEmpty();
        ids.addAll(namedBy(request, pattern));
      }
      kill(everything ? id -> true : ids::contains, context);
    };
  }

  private static List<SessionId> namedBy(CommandRequest request, RawDocument pattern) {
    var ids = new ArrayList<SessionId>();
    ArgumentReader fields = ArgumentReader.of(request.name(), pattern);
    while (fields.next()) {
      switch (fields.name()) {
        case "lsid" -> ids.add(SessionArguments.checkedId(fields.path(), fields.value()));
        // There are no users without access control, so these fit no session.
        case "uid", "users", "roles" -> {}
        default -> fields.unknown();
      }
    }
    return ids;
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

  private static Set<SessionId> ids(CommandRequest request) {
    var ids = new HashSet<SessionId>();
    String path = request.name() + "." + request.name();
    for (RawDocument document : documents(request)) {
      ids.add(SessionArguments.checkedId(path, RawValue.ofDocument(document)));
    }
    return ids;
  }

  private static List<RawDocument> documents(CommandRequest request) {
    var documents = new ArrayList<RawDocument>();
    String path = request.name() + "." + request.name();
    ElementCursor elements = ArgumentTypes.array(path, request.argument()).elements();
    while (elements.next()) {
      documents.add(ArgumentTypes.document(path, elements.value()));
    }
    return documents;
  }
}
