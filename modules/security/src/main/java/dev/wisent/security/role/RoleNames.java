package dev.wisent.security.role;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Names of roles and users in commands and in what is stored. */
public final class RoleNames {
  private static final String ROLE = "role";
  private static final String USER = "user";
  private static final String DB = "db";

  private RoleNames() {}

  /**
   * Reads roles: names of the given database, or documents. Each counts once.
   *
   * @param array an array
   */
  public static List<RoleName> parseAll(RawValue array, String database) {
    var roles = new LinkedHashSet<RoleName>();
    for (ElementCursor each = array.elements(); each.next(); ) {
      roles.add(parse(each.value(), database));
    }
    return List.copyOf(roles);
  }

  /** Reads a role: a name of the given database, or a document. */
  public static RoleName parse(RawValue value, String database) {
    if (value.isString()) {
      return new RoleName(value.asString(), database);
    }
    if (!value.isDocument()) {
      throw bad("Role name must be either a document or string");
    }
    RawDocument document = value.asDocument();
    return new RoleName(text("RoleName", document, ROLE), text("RoleName", document, DB));
  }

  /** Reads a user: a name of the given database, or a document. */
  public static UserName parseUser(RawValue value, String database) {
    if (value.isString()) {
      return new UserName(value.asString(), database);
    }
    if (!value.isDocument()) {
      throw bad("UserName must be either a string or an object");
    }
    RawDocument document = value.asDocument();
    for (ElementCursor each = document.elements(); each.next(); ) {
      if (!Set.of(USER, DB).contains(each.name())) {
        throw bad("UserName contains an unknown field named: '" + each.name());
      }
    }
    return new UserName(text("UserName", document, USER), text("UserName", document, DB));
  }

  private static String text(String what, RawDocument document, String field) {
    RawValue value = document.get(field);
    if (value == null) {
      throw bad(what + " must contain a field named: " + field);
    }
    if (!value.isString()) {
      throw bad(
          "%s must contain a string field named: %s. But, has type %s"
              .formatted(what, field, ElementType.alias(value.type())));
    }
    return value.asString();
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  public static void writeAll(String field, Collection<RoleName> roles, BsonBuilder out) {
    out.startArray(field);
    int at = 0;
    for (RoleName role : roles) {
      out.appendDocument(at++, document(role));
    }
    out.end();
  }

  /** {@code {role, db}}, as it is stored. */
  public static RawDocument document(RoleName role) {
    return new BsonBuilder()
        .appendString(ROLE, role.role())
        .appendString(DB, role.database())
        .toDocument();
  }
}
