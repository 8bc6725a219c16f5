package dev.wisent.server.user;

import dev.wisent.base.Clock;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.role.RoleDefinition;
import dev.wisent.security.user.User;
import dev.wisent.server.access.UserDirectory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The users of {@code admin.system.users} with what their roles give. Those in use are kept, and
 * looked at again after {@link #FRESH_NANOS}: so a change of a user or a role reaches the open
 * connections of all nodes and routers. On a node the look is at whether the collections have
 * changed; a router, whose users are on the config servers, reads the user again.
 *
 * <p>That there is no such user is kept as well. When reading fails, what is known goes on for a
 * while, so that clients do not lose their connections to an election of the config servers.
 */
public final class StoredUsers implements UserDirectory {
  static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);
  static final long STALE_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final int USERS_MAX = 1000;
  private static final long READ_MILLIS_MAX = 15_000;

  /** Where something is known, commands do not wait for config servers that do not answer. */
  private static final long READ_AGAIN_MILLIS_MAX = 2_000;

  private static final long LOG_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int READ_FAILED_LOG_ID = 9_000_440;

  private static final User SYSTEM = system();

  private final UserStore store;
  private final Operations operations;
  private final Clock clock;
  private final Log log;
  private final AtomicLong generation = new AtomicLong();
  private final LongAdder failures = new LongAdder();
  private final AtomicLong nextLogNanos;
  private volatile boolean hasUsers;

  /** By name, the one that was used last at the end; guarded by itself. */
  private final Map<UserName, CachedUser> cached = new LinkedHashMap<>(16, 0.75f, true);

  public StoredUsers(Operations operations, Clock clock, Log log) {
    this.store = new UserStore(operations);
    this.operations = operations;
    this.clock = clock;
    this.log = log;
    this.nextLogNanos = new AtomicLong(clock.monotonicNanos());
  }

  /** Who the members of a cluster are: it is not stored, and may do everything. */
  private static User system() {
    var role = new RoleName("__system", "admin");
    RoleDefinition definition = BuiltinRoles.find(role).orElseThrow();
    var stored =
        new BsonBuilder()
            .appendString("_id", UserName.SYSTEM.id())
            .appendString("user", UserName.SYSTEM.user())
            .appendString("db", UserName.SYSTEM.database());
    return new User(
        UserName.SYSTEM,
        stored.toDocument(),
        List.of(role),
        Set.of(role),
        GrantedPrivileges.of(definition.grants()),
        List.of());
  }

  @Override
  public Optional<User> find(UserName name) {
    return name.equals(UserName.SYSTEM) ? Optional.of(SYSTEM) : entry(name).get();
  }

  private CachedUser entry(UserName name) {
    synchronized (cached) {
      CachedUser entry = cached.get(name);
      if (entry == null) {
        entry = new CachedUser(this, name);
        cached.put(name, entry);
        if (cached.size() > USERS_MAX) {
          cached.remove(cached.keySet().iterator().next());
        }
      }
      return entry;
    }
  }

  @Override
  public boolean hasUsers() {
    if (hasUsers) {
      return true;
    }
    try {
      if (store.hasAny(operation(READ_MILLIS_MAX))) {
        hasUsers = true;
      }
      return hasUsers;
    } catch (RuntimeException e) {
      // A failed read must not open anything.
      failed("whether there are users", e);
      return true;
    }
  }

  @Override
  public void invalidate() {
    generation.incrementAndGet();
  }

  /** How many names are kept. */
  int known() {
    synchronized (cached) {
      return cached.size();
    }
  }

  @Override
  public long failedReads() {
    return failures.sum();
  }

  long generation() {
    return generation.get();
  }

  long nanos() {
    return clock.monotonicNanos();
  }

  /**
   * Reads a user.
   *
   * @param isKnown whether something is known that can be used instead
   */
  Optional<User> read(UserName name, boolean isKnown) {
    OperationContext operation = operation(isKnown ? READ_AGAIN_MILLIS_MAX : READ_MILLIS_MAX);
    return store
        .user(operation, name)
        .map(stored -> UserDocument.resolved(stored, store.graph(operation)));
  }

  /** Stands for what is stored: it is the same object until that changes. */
  CachedUser.Version version() {
    return new CachedUser.Version(
        operations.version(UserStore.USERS), operations.version(UserStore.ROLES));
  }

  private OperationContext operation(long millisMax) {
    OperationContext operation = OperationContext.internal(clock);
    operation.limitMillis(millisMax);
    return operation;
  }

  /** Counts a failure, and logs it unless one has been logged just before. */
  void failed(String what, RuntimeException error) {
    failures.increment();
    long now = clock.monotonicNanos();
    long next = nextLogNanos.get();
    if (now - next >= 0 && nextLogNanos.compareAndSet(next, now + LOG_PERIOD_NANOS)) {
      log.warn(
          READ_FAILED_LOG_ID,
          "Users could not be read",
          "what",
          what,
          "error",
          String.valueOf(error.getMessage()),
          "failures",
          failures.sum());
    }
  }
}
