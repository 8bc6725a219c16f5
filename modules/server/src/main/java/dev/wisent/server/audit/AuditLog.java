package dev.wisent.server.audit;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Records what is done with a server. An event is in the log when a method returns; one that cannot
 * be written makes the method fail with a {@code CommandException}, which is the answer to the
 * client. So raise an event before its effect where that is possible: {@link #authenticated} before
 * the login, {@link #loggedOut} before the logout.
 *
 * <p>Secrets in arguments (passwords, payloads of logins) are left out by the log, not by callers.
 */
public interface AuditLog extends AutoCloseable {
  /** Why a client is logged out, before the name of the database. */
  String EXPLICIT_LOGOUT = "Explicit logout from ";

  /** Why a client is logged out that has gone. */
  String IMPLICIT_LOGOUT = "Implicit logout due to client connection closure";

  /** Why a client is logged out whose user does not exist any more. */
  String DROPPED_USER = "Implicit logout due to a dropped user";

  /** Of a server that keeps none. */
  AuditLog NONE =
      new AuditLog() {
        @Override
        public boolean isOn() {
          return false;
        }

        @Override
        public void event(
            AuditAction action, ClientConnection client, RawDocument param, int result) {}

        @Override
        public void authenticated(
            ClientConnection client, UserName user, String mechanism, int result) {}

        @Override
        public void authCheckFailed(ClientConnection client, CommandRequest request) {}

        @Override
        public void authCheckSucceeded(ClientConnection client, CommandRequest request) {}

        @Override
        public void loggedOut(ClientConnection client, UserName user, String reason) {}

        @Override
        public boolean tellsSuccessfulChecks() {
          return false;
        }

        @Override
        public void tellSuccessfulChecks(boolean on) {}

        @Override
        public void requireWritable() {}

        @Override
        public Optional<Path> rotate() {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  /** Whether there is one: ask before building what is costly. */
  boolean isOn();

  /**
   * Any other event.
   *
   * @param client null for the server itself
   * @param result an error's number; 0 for success
   */
  void event(AuditAction action, ClientConnection client, RawDocument param, int result);

  /**
   * A login has succeeded or failed. A login in several messages is one event.
   *
   * @param user as the client gave it; its name may not exist
   * @param result 0, or the error's number as the client gets it, 18 as a rule
   */
  void authenticated(ClientConnection client, UserName user, String mechanism, int result);

  /** A client may not run a command: error 13. */
  void authCheckFailed(ClientConnection client, CommandRequest request);

  /** A client may run a command. Recorded only where {@code auditAuthorizationSuccess} is on. */
  void authCheckSucceeded(ClientConnection client, CommandRequest request);

  /**
   * A login ends.
   *
   * @param reason in words, as {@link #EXPLICIT_LOGOUT} begins, or another of them is
   */
  void loggedOut(ClientConnection client, UserName user, String reason);

  /** The parameter {@code auditAuthorizationSuccess}. */
  boolean tellsSuccessfulChecks();

  void tellSuccessfulChecks(boolean on);

  /** Fails if events could not be written now: asked before what could not be taken back. */
  void requireWritable();

  /** Starts a new file; returns where the events so far are, if there is one. */
  Optional<Path> rotate() throws IOException;

  @Override
  void close();
}
