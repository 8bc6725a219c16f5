package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.role.RoleDocument;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.RestrictionDocument;
import java.util.List;

/** Users and roles of a dump: they have been stored elsewhere, and may be anything. */
final class RestoredDocuments {
  /** What an event of the audit log tells of one beside its name. */
  static final List<String> SHOWN =
      List.of("customData", "roles", "privileges", RestrictionDocument.FIELD);

  private static final List<String> NAMES = List.of("user", "role", "db");
  private static final String LOCAL = "local";

  private RestoredDocuments() {}

  /** Fails for a document that is no user. */
  static UserName checkedUser(RawDocument document) {
    var name = new UserName(text(document, "user"), text(document, "db"));
    if (name.user().isEmpty() || name.database().equals(LOCAL)) {
      throw bad(document, "is no name of a user");
    }
    requireId(document, name.id());
    requireArray(document, "roles");
    RawValue credentials = document.get("credentials");
    if (credentials == null || !credentials.isDocument()) {
      throw bad(document, "has no credentials");
    }
    RoleNames.parseAll(document.get("roles"), "");
    RestrictionDocument.ofStored(document.get(RestrictionDocument.FIELD));
    return name;
  }

  /** Fails for a document that is no role that users may define. */
  static RoleName checkedRole(RawDocument document) {
    var name = new RoleName(text(document, "role"), text(document, "db"));
    if (name.role().isEmpty() || name.database().equals(LOCAL) || BuiltinRoles.contains(name)) {
      throw bad(document, "is no name of a role");
    }
    requireId(document, name.id());
    requireArray(document, "roles");
    requireArray(document, "privileges");
    RoleDocument.parse(document);
    return name;
  }

  private static String text(RawDocument document, String field) {
    RawValue value = document.get(field);
    if (value == null || !value.isString()) {
      throw bad(document, "has no string field '" + field + "'");
    }
    return value.asString();
  }

  private static void requireId(RawDocument document, String id) {
    RawValue stored = document.get("_id");
    if (stored == null || !stored.isString() || !stored.asString().equals(id)) {
      throw bad(document, "has another _id than '" + id + "'");
    }
  }

  private static void requireArray(RawDocument document, String field) {
    RawValue value = document.get(field);
    if (value == null || !value.isArray()) {
      throw bad(document, "has no array '" + field + "'");
    }
  }

  private static CommandException bad(RawDocument document, String what) {
    return UserOptions.bad(nameOf(document) + " " + what);
  }

  /** The fields by which it is known. */
  static RawDocument nameOf(RawDocument document) {
    var name = new BsonBuilder();
    for (String field : NAMES) {
      RawValue value = document.get(field);
      if (value != null) {
        name.append(field, value);
      }
    }
    return name.toDocument();
  }
}
