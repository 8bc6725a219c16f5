package dev.wisent.server.audit;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.security.user.Identity;
import dev.wisent.security.user.User;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.SecretArguments;
import dev.wisent.server.connection.ActingFor;
import dev.wisent.server.connection.ClientConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes events as lines of JSON in MongoDB's form. MongoDB ends its process when it cannot write
 * one. Here the operation fails, audited operations after it are refused before they have an
 * effect, and what could not be written is kept and written first when that is possible again.
 */
public final class JsonAuditLog implements AuditLog {
  private static final int NOT_WRITTEN_LOG_ID = 9_000_431;
  private static final int WRITTEN_AGAIN_LOG_ID = 9_000_432;

  /** Events that wait for a disk with room; those that find no place here are told to the log. */
  static final int WAITING_MAX = 1_000;

  private final AuditSink sink;
  private final Optional<MatchExpression> filter;
  private final UserDirectory users;
  private final Clock clock;
  private final RandomSource random;
  private final Log log;
  private final AtomicBoolean shutdownTold = new AtomicBoolean();
  private volatile boolean successfulChecks;

  /** Held while a line is written, so that lines are whole and in order. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Lines that could not be written yet. Guarded by {@link #lock}. */
  private final Queue<String> waiting = new ArrayDeque<>();

  /**
   * @param filter a query that an event has to match
   * @param users for the roles of those who are logged in
   * @param log where it is told that events cannot be written
   * @throws IllegalArgumentException for a filter that is not a query
   */
  public JsonAuditLog(
      AuditSink sink,
      Optional<RawDocument> filter,
      UserDirectory users,
      Clock clock,
      RandomSource random,
      Log log) {
    this.sink = sink;
    this.users = users;
    this.clock = clock;
    this.random = random;
    this.log = log;
    this.filter = filter.map(query -> parse(query, clock, random));
  }

  private static MatchExpression parse(RawDocument filter, Clock clock, RandomSource random) {
    try {
      return MatchParser.parse(
          filter, QueryContexts.of(new OperationContext(clock, random, () -> false)));
    } catch (CommandException e) {
      throw new IllegalArgumentException("Bad audit filter: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public boolean tellsSuccessfulChecks() {
    return successfulChecks;
  }

  @Override
  public void tellSuccessfulChecks(boolean on) {
    successfulChecks = on;
  }

  @Override
  public void event(AuditAction action, ClientConnection client, RawDocument param, int result) {
    write(action, client, userOf(client), param, result);
  }

  @Override
  public void authenticated(ClientConnection client, UserName user, String mechanism, int result) {
    var param = new BsonBuilder();
    param.appendString("user", user.user());
    param.appendString("db", user.database());
    param.appendString("mechanism", mechanism);
    Optional<UserName> proven = result == 0 ? Optional.of(user) : userOf(client);
    write(AuditAction.AUTHENTICATE, client, proven, param.toDocument(), result);
  }

  @Override
  public void authCheckFailed(ClientConnection client, CommandRequest request) {
    authCheck(client, request, ErrorCode.UNAUTHORIZED.code());
  }

  @Override
  public void authCheckSucceeded(ClientConnection client, CommandRequest request) {
    if (successfulChecks && userOf(client).filter(UserName.SYSTEM::equals).isEmpty()) {
      authCheck(client, request, 0);
    }
  }

  private void authCheck(ClientConnection client, CommandRequest request, int result) {
    var param = new BsonBuilder();
    param.appendString("command", request.name());
    param.appendString("ns", request.namespaceText());
    param.appendDocument("args", SecretArguments.hidden(request.name(), request.body()));
    write(AuditAction.AUTH_CHECK, client, userOf(client), param.toDocument(), result);
  }

  @Override
  public void loggedOut(ClientConnection client, UserName user, String reason) {
    var param = new BsonBuilder();
    param.appendString("reason", reason);
    param.startArray("initialUsers");
    appendUser(param, user);
    param.end();
    param.startArray("updatedUsers").end();
    write(AuditAction.LOGOUT, client, Optional.of(user), param.toDocument(), 0);
  }

  /** The one that it has the running command of, or the one that has logged in. */
  private static Optional<UserName> userOf(ClientConnection client) {
    if (client == null) {
      return Optional.empty();
    }
    return client.actingFor().map(ActingFor::user).or(() -> client.identity().map(Identity::user));
  }

  private void write(
      AuditAction action,
      ClientConnection client,
      Optional<UserName> user,
      RawDocument param,
      int result) {
    if (action == AuditAction.SHUTDOWN && !shutdownTold.compareAndSet(false, true)) {
      return;
    }
    var event = new BsonBuilder();
    event.appendString("atype", action.toString());
    event.appendDate("ts", clock.wallMillis());
    event.appendUuid("uuid", random.nextUuid());
    appendEndpoint(event, "local", client == null ? null : client.localAddress());
    appendEndpoint(event, "remote", client == null ? null : client.remoteAddress());
    event.startArray("users");
    user.ifPresent(name -> appendUser(event, name));
    event.end();
    appendRoles(event, rolesOf(client, user));
    event.appendDocument("param", param);
    event.appendInt32("result", result);
    RawDocument document = event.toDocument();
    if (filter.isEmpty() || filter.get().matches(document)) {
      write(AuditLine.of(document));
    }
  }

  private static void appendEndpoint(BsonBuilder out, String name, String address) {
    out.startDocument(name);
    int colon = address == null ? -1 : address.lastIndexOf(':');
    if (colon < 0) {
      out.appendBoolean("isSystemUser", true);
    } else {
      out.appendString("ip", address.substring(0, colon).replace("[", "").replace("]", ""));
      out.appendInt32("port", Integer.parseInt(address.substring(colon + 1)));
    }
    out.end();
  }

  private static void appendUser(BsonBuilder array, UserName user) {
    array.startDocument(0);
    array.appendString("user", user.user());
    array.appendString("db", user.database());
    array.end();
  }

  private List<RoleName> rolesOf(ClientConnection client, Optional<UserName> user) {
    ActingFor actingFor = client == null ? null : client.actingFor().orElse(null);
    return actingFor != null && user.filter(actingFor.user()::equals).isPresent()
        ? actingFor.roles()
        : user.map(this::rolesOf).orElse(List.of());
  }

  private static void appendRoles(BsonBuilder out, List<RoleName> roles) {
    out.startArray("roles");
    int index = 0;
    for (RoleName role : roles) {
      out.startDocument(index++);
      out.appendString("role", role.role());
      out.appendString("db", role.database());
      out.end();
    }
    out.end();
  }

  /** None where users cannot be read now: the event matters more than its roles. */
  private List<RoleName> rolesOf(UserName user) {
    if (user.equals(UserName.SYSTEM)) {
      return List.of(new RoleName(user.user(), user.database()));
    }
    try {
      return users.find(user).map(User::roles).orElse(List.of());
    } catch (RuntimeException e) {
      return List.of();
    }
  }

  private void write(String line) {
    lock.lock();
    try {
      if (waiting.size() >= WAITING_MAX) {
        flushWaiting();
      }
      waiting.add(line);
      flushWaiting();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void requireWritable() {
    lock.lock();
    try {
      flushWaiting();
    } finally {
      lock.unlock();
    }
  }

  /** Caller holds the lock. */
  private void flushWaiting() {
    while (!waiting.isEmpty()) {
      try {
        sink.write(waiting.peek());
      } catch (IOException e) {
        log.error(
            NOT_WRITTEN_LOG_ID, "Cannot write to the audit log", e, "waiting", waiting.size());
        throw new CommandException(
            ErrorCode.LOG_WRITE_FAILED, "the audit log cannot be written: " + e.getMessage());
      }
      waiting.remove();
      if (waiting.isEmpty() && sink.recovered()) {
        log.info(WRITTEN_AGAIN_LOG_ID, "The audit log is written again");
      }
    }
  }

  @Override
  public Optional<Path> rotate() throws IOException {
    lock.lock();
    try {
      Optional<Path> aside = sink.rotate();
      event(AuditAction.ROTATE_LOG, null, rotated(aside), 0);
      return aside;
    } finally {
      lock.unlock();
    }
  }

  private static RawDocument rotated(Optional<Path> aside) {
    var param = new BsonBuilder();
    param.startDocument("logRotationStatus");
    param.appendString("status", "OK");
    param.appendString("rotatedLogPath", aside.map(Path::toString).orElse(""));
    param.startArray("errors").end();
    param.end();
    return param.toDocument();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      sink.close();
    } finally {
      lock.unlock();
    }
  }
}
