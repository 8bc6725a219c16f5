package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.Set;

/** What users may do with the collections whose names begin with {@code system.}. */
public final class SystemNamespaces {
  private static final Set<String> IN_EVERY_DATABASE =
      Set.of("system.js", "system.profile", "system.views");
  private static final Set<String> ELSEWHERE =
      Set.of(
          "admin.system.backup_users",
          "admin.system.healthlog",
          "admin.system.keys",
          "admin.system.new_users",
          "admin.system.roles",
          "admin.system.users",
          "admin.system.version",
          "config.system.indexBuilds",
          "config.system.sessions",
          "local.system.healthlog",
          "local.system.replset");

  /** With it begin the names of collections that are to take the place of others. */
  private static final String RESHARDING_PREFIX = "system.resharding.";

  private static final Set<String> NOT_WRITABLE = Set.of("system.profile", "system.views");
  private static final Set<String> DROPPABLE =
      Set.of(
          "system.healthlog", "system.keys", "system.profile", "system.sessions", "system.views");

  private SystemNamespaces() {}

  /** Whether a collection is being filled, to take the place of another one. */
  public static boolean isOfResharding(Namespace namespace) {
    return namespace.collection().startsWith(RESHARDING_PREFIX);
  }

  /** Fails for a collection that a user may not create. */
  public static void checkCreate(Namespace namespace) {
    if (namespace.isSystem()
        && !IN_EVERY_DATABASE.contains(namespace.collection())
        && !ELSEWHERE.contains(namespace.full())
        && !isOfResharding(namespace)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid system namespace: " + namespace);
    }
  }

  /** Fails for a collection that a user may not write to. */
  public static void checkWrite(Namespace namespace) {
    if (!namespace.isSystem()) {
      return;
    }
    if (NOT_WRITABLE.contains(namespace.collection())) {
      throw new CommandException(ErrorCode.INVALID_NAMESPACE, "cannot write to " + namespace);
    }
    checkCreate(namespace);
  }

  /** Fails for a collection that a user may not drop. */
  public static void checkDrop(Namespace namespace) {
    if (namespace.isSystem()
        && !DROPPABLE.contains(namespace.collection())
        && !isOfResharding(namespace)) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "can't drop system collection " + namespace);
    }
  }

  /** Fails where a collection may not be renamed, from or to such a name. */
  public static void checkRename(Namespace from, Namespace to) {
    checkRename("source", from);
    checkRename("target", to);
  }

  private static void checkRename(String which, Namespace namespace) {
    try {
      checkWrite(namespace);
    } catch (CommandException e) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "error with " + which + " namespace: " + e.getMessage());
    }
  }
}
