package dev.wisent.server.privilege;

import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.user.User;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** As whom a command runs, and what that one may do. Immutable. */
public final class Principal {
  /** May do everything: another node of this cluster, or any client where logins do not matter. */
  public static final Principal UNRESTRICTED = new Principal(null, null, null);

  private static final String USER_ID = "userId";

  private final User user;
  private final GrantedPrivileges privileges;
  private final byte[] digest;

  private Principal(User user, GrantedPrivileges privileges, byte[] digest) {
    this.user = user;
    this.privileges = privileges;
    this.digest = digest;
  }

  /** Has logged in where logins do not matter: may do everything, in sessions of its own. */
  public static Principal unrestricted(UserName name) {
    return new Principal(null, null, digest(name));
  }

  public static Principal of(User user) {
    return new Principal(user, user.privileges(), digest(user.name()));
  }

  /** A client that has not logged in. */
  public static Principal withoutLogin(GrantedPrivileges privileges) {
    return new Principal(null, privileges, digest(""));
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

  /** Whether a user is this one after changes, and not another one that got its name. */
  public boolean isEarlierOf(User other) {
    return user != null
        && user.name().equals(other.name())
        && Objects.equals(user.stored().get(USER_ID), other.stored().get(USER_ID));
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
    return !isRestricted() || privileges.onCluster(action);
  }

  public boolean onAnyNormal(Action action) {
    return !isRestricted() || privileges.onAnyNormal(action);
  }

  public boolean onAnyBuckets(Action action) {
    return !isRestricted() || privileges.onAnyBuckets(action);
  }

  public boolean onDatabase(String database, Action action) {
    return !isRestricted() || privileges.onDatabase(database, action);
  }

  public boolean onCollection(String database, String collection, Action action) {
    return !isRestricted() || privileges.onCollection(database, collection, action);
  }

  /** Whether it may do anything at all to a collection, and so may know that it exists. */
  public boolean knows(String database, String collection) {
    return !isRestricted() || privileges.hasAnyOn(database, collection);
  }

  /** Whether it may do anything at all to a database or to what is in it. */
  public boolean knows(String database) {
    return !isRestricted() || privileges.hasAnyIn(database);
  }
}
