package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import java.nio.charset.StandardCharsets;

/** A collection's full name: database, dot, collection. */
public record Namespace(String database, String collection) {
  private static final String ILLEGAL_IN_DATABASE = "/\\. \"$*<>:|?\0";

  /** Splits at the first dot; a name without one has an empty collection. */
  public static Namespace parse(String full) {
    int dot = full.indexOf('.');
    return dot < 0
        ? new Namespace(full, "")
        : new Namespace(full.substring(0, dot), full.substring(dot + 1));
  }

  /** A namespace that a client named, checked against MongoDB's rules. */
  public static Namespace checked(String database, String collection) {
    checkDatabase(database);
    return inCheckedDatabase(database, collection);
  }

  /** The same where the database's name was checked before. */
  public static Namespace inCheckedDatabase(String database, String collection) {
    if (!isValidCollection(database, collection)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Invalid namespace specified '" + database + "." + collection + "'");
    }
    return new Namespace(database, collection);
  }

  public static void checkDatabase(String database) {
    if (!isValidDatabase(database)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "Invalid database name: '" + database + "'");
    }
  }

  private static boolean isValidDatabase(String database) {
    boolean valid = !database.isEmpty() && fits(database, Limits.DATABASE_NAME_BYTES_MAX);
    for (int i = 0; valid && i < database.length(); i++) {
      valid = ILLEGAL_IN_DATABASE.indexOf(database.charAt(i)) < 0;
    }
    return valid;
  }

  /** Whether MongoDB's rules allow both names. */
  public static boolean isValid(String database, String collection) {
    return isValidDatabase(database) && isValidCollection(database, collection);
  }

  private static boolean isValidCollection(String database, String collection) {
    return !collection.isEmpty()
        && !collection.startsWith(".")
        && !collection.endsWith(".")
        && collection.indexOf('\0') < 0
        && collection.indexOf('$') < 0
        && fits(database + "." + collection, Limits.NAMESPACE_BYTES_MAX);
  }

  /** Whether a name takes at most so many bytes. Every command asks, and most names are short. */
  private static boolean fits(String name, int bytesMax) {
    int bytesPerCharMax = 3;
    return name.length() <= bytesMax / bytesPerCharMax
        || name.getBytes(StandardCharsets.UTF_8).length <= bytesMax;
  }

  /** Where a database's profile is. */
  public static Namespace profileOf(String database) {
    return new Namespace(database, "system.profile");
  }

  public boolean isSystem() {
    return collection.startsWith("system.");
  }

  /** Whether it lies in one of the server's own databases. */
  public boolean isInternal() {
    return database.equals("admin") || database.equals("config") || database.equals("local");
  }

  /** Whether the collection is replicated in a replica set. */
  public boolean isReplicated() {
    return !database.equals("local") && !collection.equals("system.profile");
  }

  /** Whether each member of a replica set has a collection of its own; the oplog is shared. */
  public boolean isNodeLocal() {
    return !isReplicated() && !(database.equals("local") && collection.equals("oplog.rs"));
  }

  public String full() {
    return database + "." + collection;
  }

  @Override
  public String toString() {
    return full();
  }
}
