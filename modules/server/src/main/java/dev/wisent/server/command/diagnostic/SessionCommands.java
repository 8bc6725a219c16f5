package dev.wisent.server.command.diagnostic;

import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.cursor.CursorRegistry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Logical sessions of a standalone node. It keeps nothing about them but the cursors that they
 * opened, which go when a session is ended or killed.
 */
public final class SessionCommands {
  private static final byte UUID_SUBTYPE = 4;

  private SessionCommands() {}

  /** {@code startSession}. */
  public static Command start() {
    return (request, context, reply) -> {
      UUID id = UUID.randomUUID();
      byte[] bytes =
          ByteBuffer.allocate(16)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .array();
      reply.startDocument("id");
      reply.appendBinary("id", UUID_SUBTYPE, bytes);
      reply.end();
      reply.appendInt32("timeoutMinutes", Limits.SESSION_TIMEOUT_MINUTES);
    };
  }

  /** {@code refreshSessions}: there is nothing that would expire. */
  public static Command refresh() {
    return (request, context, reply) ->
        ArgumentTypes.array("refreshSessions.refreshSessions", request.argument());
  }

  /** {@code endSessions} and {@code killSessions}. */
  public static Command end(CursorRegistry cursors) {
    return (request, context, reply) -> {
      List<RawValue> ids = ids(request.name(), request.argument());
      cursors.killAll(
          cursor ->
              ids.stream().anyMatch(id -> Objects.equals(idOf(cursor.sessionId()), idOf(id))));
    };
  }

  /**
   * {@code killAllSessions}: of everybody, or of users, whom no session has without access control.
   */
  public static Command killAll(CursorRegistry cursors) {
    return (request, context, reply) -> {
      List<RawValue> users = ids(request.name(), request.argument());
      if (users.isEmpty()) {
        cursors.killAll(cursor -> cursor.sessionId() != null);
      }
    };
  }

  /** {@code killAllSessionsByPattern}: all for an empty list, else those that a pattern names. */
  public static Command killByPattern(CursorRegistry cursors) {
    return (request, context, reply) -> {
      List<RawValue> patterns = ids(request.name(), request.argument());
      cursors.killAll(
          cursor ->
              cursor.sessionId() != null
                  && (patterns.isEmpty()
                      || patterns.stream()
                          .anyMatch(pattern -> fits(pattern.asDocument(), cursor.sessionId()))));
    };
  }

  private static boolean fits(RawDocument pattern, RawValue session) {
    if (pattern.isEmpty()) {
      return true;
    }
    RawValue lsid = pattern.get("lsid");
    return lsid != null && lsid.isDocument() && Objects.equals(idOf(lsid), idOf(session));
  }

  private static List<RawValue> ids(String command, RawValue argument) {
    var ids = new ArrayList<RawValue>();
    ElementCursor elements = ArgumentTypes.array(command + "." + command, argument).elements();
    while (elements.next()) {
      ArgumentTypes.document(command + "." + command, elements.value());
      ids.add(elements.value());
    }
    return ids;
  }

  private static RawValue idOf(RawValue session) {
    return session == null ? null : session.asDocument().get("id");
  }
}
