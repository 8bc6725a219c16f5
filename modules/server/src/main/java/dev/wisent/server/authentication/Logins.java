package dev.wisent.server.authentication;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import dev.wisent.security.user.Identity;
import dev.wisent.security.user.User;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.access.LoginCounters;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.connection.ClientConnection;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a login comes to, whatever its mechanism: the identity of a connection, or an error that
 * tells the client nothing; in both cases counted, logged and audited. Thread-safe.
 */
public final class Logins {
  private static final int SUCCEEDED_LOG_ID = 5_286_306;
  private static final int FAILED_LOG_ID = 5_286_307;

  /** On a thread that others need, an answer is not held back for longer. */
  private static final long THREAD_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private final AccessControl access;
  private final AuditLog audit;
  private final Clock clock;
  private final Log log;
  private final LoginCounters counters;
  private final LoginDelays delays;

  public Logins(AccessControl access, AuditLog audit, Clock clock, Log log) {
    this.access = access;
    this.audit = audit;
    this.clock = clock;
    this.log = log;
    this.counters = access.counters();
    this.delays = new LoginDelays(clock);
  }

  LoginCounters counters() {
    return counters;
  }

  AccessControl access() {
    return access;
  }

  /**
   * A client has proven itself.
   *
   * @param isMember whether as a member of this cluster, and not as the user
   */
  void succeed(LoginAttempt attempt, boolean isMember) {
    ClientConnection client = attempt.client();
    UserName user = isMember ? UserName.SYSTEM : attempt.user();
    refuseSecondUser(client, user);
    RawValue userId = isMember ? null : checkedUser(attempt).id();
    audit.authenticated(client, attempt.user(), attempt.mechanism(), 0);
    client.pendingLogin(null);
    client.login(new Identity(user, attempt.mechanism(), userId));
    delays.succeeded(attempt.address());
    counters.successful(attempt.mechanism(), attempt.isSpeculative());
    if (isMember) {
      counters.cluster(attempt.mechanism(), true);
    }
    log.withContext(client.description())
        .info(
            SUCCEEDED_LOG_ID,
            "Successfully authenticated",
            "client",
            client.remoteAddress(),
            "isSpeculative",
            attempt.isSpeculative(),
            "isClusterMember",
            isMember,
            "mechanism",
            attempt.mechanism(),
            "user",
            attempt.user().user(),
            "db",
            attempt.user().database());
  }

  private static void refuseSecondUser(ClientConnection client, UserName user) {
    Identity before = client.identity().orElse(null);
    if (before != null && !before.user().equals(user)) {
      throw new CommandException(
          ErrorCode.LOGIN_AS_ANOTHER_USER,
          "Each client connection may only be authenticated once. Previously authenticated as: "
              + before.user());
    }
  }

  private User checkedUser(LoginAttempt attempt) {
    User user = access.users().find(attempt.user()).orElse(null);
    if (user == null) {
      throw fail(attempt, notFound(attempt.user()));
    }
    User proven = attempt.proven();
    if (proven != null && !Objects.equals(proven.id(), user.id())) {
      throw fail(attempt, "UserNotFound: Another user got the name during the login");
    }
    if (!Restrictions.allow(user, attempt.client())) {
      throw fail(
          attempt,
          "AuthenticationRestrictionUnmet: the addresses of client and server are not those that"
              + " the user may log in by");
    }
    return user;
  }

  static String notFound(UserName user) {
    return "UserNotFound: Could not find user \""
        + user.user()
        + "\" for db \""
        + user.database()
        + "\"";
  }

  /**
   * A login has failed; returns what the client gets, after a delay.
   *
   * @param reason for the log alone
   */
  CommandException fail(LoginAttempt attempt, String reason) {
    return fail(
        attempt,
        reason,
        new CommandException(ErrorCode.AUTHENTICATION_FAILED, "Authentication failed."));
  }

  CommandException fail(LoginAttempt attempt, String reason, CommandException answer) {
    ClientConnection client = attempt.client();
    client.pendingLogin(null);
    boolean isMember = attempt.user().equals(UserName.SYSTEM);
    if (isMember) {
      counters.cluster(attempt.mechanism(), false);
    }
    log.withContext(client.description())
        .info(
            FAILED_LOG_ID,
            "Failed to authenticate",
            "client",
            client.remoteAddress(),
            "isSpeculative",
            attempt.isSpeculative(),
            "isClusterMember",
            isMember,
            "mechanism",
            attempt.mechanism(),
            "user",
            attempt.user().user(),
            "db",
            attempt.user().database(),
            "error",
            reason);
    audit.authenticated(client, attempt.user(), attempt.mechanism(), answer.code().code());
    if (!attempt.isInHello()) {
      holdBack(attempt.context(), delays.failed(attempt.address()));
    }
    return answer;
  }

  private void holdBack(CommandContext context, long delayNanos) {
    if (delayNanos <= 0) {
      return;
    }
    long wait =
        Thread.currentThread().isVirtual() ? delayNanos : Math.min(delayNanos, THREAD_NANOS_MAX);
    long end = clock.monotonicNanos() + wait;
    var never = new CountDownLatch(1);
    context
        .operation()
        .await(
            nanos -> {
              long left = end - clock.monotonicNanos();
              return left <= 0
                  || never.await(Math.min(left, nanos), TimeUnit.NANOSECONDS)
                  || end - clock.monotonicNanos() <= 0;
            });
  }

  /** Ends the login of a connection, if it is one of a user of the database. */
  void logout(ClientConnection client, String database) {
    client.pendingLogin(null);
    Identity identity = client.identity().orElse(null);
    if (identity != null && identity.user().database().equals(database)) {
      audit.loggedOut(
          client, identity.user(), AuditLog.EXPLICIT_LOGOUT + identity.user().database());
      client.logout();
    }
  }
}
