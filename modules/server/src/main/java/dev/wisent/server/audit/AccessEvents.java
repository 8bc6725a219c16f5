package dev.wisent.server.audit;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.server.command.CommandRequest;

/** What events of commands for users and roles tell: all but passwords. */
final class AccessEvents {
  private AccessEvents() {}

  static void append(AuditAction action, CommandRequest request, BsonBuilder param) {
    switch (action) {
      case CREATE_USER, DROP_USER, GRANT_ROLES_TO_USER, REVOKE_ROLES_FROM_USER ->
          param.append("user", request.argument());
      case UPDATE_USER -> {
        param.append("user", request.argument());
        param.appendBoolean("passwordChanged", request.body().get("pwd") != null);
      }
      case CREATE_ROLE,
          UPDATE_ROLE,
          DROP_ROLE,
          GRANT_ROLES_TO_ROLE,
          REVOKE_ROLES_FROM_ROLE,
          GRANT_PRIVILEGES_TO_ROLE,
          REVOKE_PRIVILEGES_FROM_ROLE ->
          param.append("role", request.argument());
      default -> {}
    }
    param.appendString("db", request.database());
    RawDocument body = request.body();
    copy(body, "customData", param);
    appendRoles(body.get("roles"), request.database(), param);
    copy(body, "privileges", param);
    copy(body, "authenticationRestrictions", param);
  }

  private static void copy(RawDocument body, String name, BsonBuilder param) {
    RawValue value = body.get(name);
    if (value != null) {
      param.append(name, value);
    }
  }

  /** A role may be given by its name alone, if it is of the same database. */
  private static void appendRoles(RawValue roles, String database, BsonBuilder param) {
    if (roles == null || !roles.isArray()) {
      return;
    }
    param.startArray("roles");
    int index = 0;
    for (ElementCursor each = roles.elements(); each.next(); index++) {
      if (each.value().isString()) {
        param.startDocument(index);
        param.append("role", each.value());
        param.appendString("db", database);
        param.end();
      } else {
        param.append(index, each.value());
      }
    }
    param.end();
  }
}
