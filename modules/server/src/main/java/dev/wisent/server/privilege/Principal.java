package dev.wisent.server.privilege;

import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.user.User;
import dev.wisent.server.privilege.PassedChecks.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** As whom a command runs, and what that one may do. Immutable. */
public final class Principal {
  /** May do everything: another node of this cluster, or any client where logins do not matter. */
  public static final Principal UNRESTRICTED =
      new Principal(null, null, null, null, () -> PassedChecks.NONE);

  private final User user;
  private final GrantedPrivileges privileges;
  private final byte[] digest;

  /** Told of each check that passes; null where none is. */
  private final Consumer<PassedChecks.Check> passed;

  private final Supplier<PassedChecks> checks;

  private Principal(
      User user,
      GrantedPrivileges privileges,
      byte[] digest,
      Consumer<PassedChecks.Check> passed,
      Supplier<PassedChecks> checks) {
    this.user = user;
    this.privileges = privileges;
    this.digest = digest;
    this.passed = passed;
    this.checks = checks;
  }

  private static Principal of(User user, GrantedPrivileges privileges, byte[] digest) {
    return new Principal(user, privileges, digest, null, UNRESTRICTED.checks);
  }

  /** Has logged in where logins do not matter: may do everything, in sessions of its own. */
  public static Principal unrestricted(UserName name) {
    return of(null, null, digest(name));
  }

  public static Principal of(User user) {
    return of(user, user.privileges(), digest(user.name()));
  }

  /** A client that has not logged in. */
  public static Principal withoutLogin(GrantedPrivileges privileges) {
    return of(null, privileges, digest(""));
  }

  /** The digest of a user that its sessions have: {@code uid} of an {@code lsid}. */
  public static byte[] digest(UserName name) {
    return digest(name.toString());
  }

  private static byte[] digest(String name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether it is made of this very object, which a directory replaces when it changes. */
  public boolean isOf(User other) {
    return user == other;
  }

  /** The same one, which tells of each check that passes. */
  Principal recording(Consumer<PassedChecks.Check> to) {
    return new Principal(user, privileges, digest, to, checks);
  }

  /**
   * The same one with a command that it is allowed to run.
   *
   * @param checks asks again; only a cursor that stays open needs to know
   */
  public Principal allowedBy(Supplier<PassedChecks> checks) {
    return new Principal(user, privileges, digest, passed, checks);
  }

  /** The checks that have to pass for a cursor of the command to go on. */
  public PassedChecks passedChecks() {
    return checks.get();
  }

  /** Whether privileges limit what it may do. */
  public boolean isRestricted() {
    return privileges != null;
  }

  /** Empty for one without a login, and where logins do not matter. */
  public Optional<UserName> name() {
    return user == null ? Optional.empty() : Optional.of(user.name());
  }

  /** Whether a user is this one. */
  public boolean is(UserName other) {
    return user != null && user.name().equals(other);
  }

  public boolean hasRole(RoleName role) {
    return !isRestricted() || (user != null && user.inheritedRoles().contains(role));
  }

  public Set<RoleName> roles() {
    return user == null ? Set.of() : user.inheritedRoles();
  }

  /** Those that it was given itself. */
  public List<RoleName> givenRoles() {
    return user == null ? List.of() : user.roles();
  }

  /** The digest that its sessions have; null for {@link #UNRESTRICTED}. */
  public byte[] sessionDigest() {
    return digest;
  }

  /**
   * Whether something that a user has opened or runs is its own, such as a cursor.
   *
   * @param owner null for nothing that belongs to a user
   */
  public boolean owns(UserName owner) {
    return !isRestricted() || (owner != null && is(owner));
  }

  /** What its roles give; only of one that is restricted. */
  public List<Grant> grants() {
    return privileges.grants();
  }

  public boolean onCluster(Action action) {
    return !isRestricted() || noted(privileges.onCluster(action), Kind.CLUSTER, null, null, action);
  }

  public boolean onAnyNormal(Action action) {
    return !isRestricted()
        || noted(privileges.onAnyNormal(action), Kind.ANY_NORMAL, null, null, action);
  }

  public boolean onAnyBuckets(Action action) {
    return !isRestricted()
        || noted(privileges.onAnyBuckets(action), Kind.ANY_BUCKETS, null, null, action);
  }

  public boolean onDatabase(String database, Action action) {
    return !isRestricted()
        || noted(privileges.onDatabase(database, action), Kind.DATABASE, database, null, action);
  }

  public boolean onCollection(String database, String collection, Action action) {
    return !isRestricted()
        || noted(
            privileges.onCollection(database, collection, action),
            Kind.COLLECTION,
            database,
            collection,
            action);
  }

  /** Whether it may do anything at all to a collection, and so may know that it exists. */
  public boolean knows(String database, String collection) {
    return !isRestricted()
        || noted(
            privileges.hasAnyOn(database, collection),
            Kind.KNOWN_COLLECTION,
            database,
            collection,
            null);
  }

  /** Whether it may do anything at all to a database or to what is in it. */
  public boolean knows(String database) {
    return !isRestricted()
        || noted(privileges.hasAnyIn(database), Kind.KNOWN_DATABASE, database, null, null);
  }

  private boolean noted(
      boolean holds, Kind kind, String database, String collection, Action action) {
    if (holds && passed != null) {
      passed.accept(new PassedChecks.Check(kind, database, collection, action));
    }
    return holds;
  }
}
