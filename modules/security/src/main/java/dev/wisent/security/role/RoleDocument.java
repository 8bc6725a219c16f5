package dev.wisent.security.role;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.PrivilegeDocument;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.RestrictionDocument;
import java.util.ArrayList;
import java.util.List;

/** A role that users define, as {@code admin.system.roles} has it. */
public final class RoleDocument {
  private static final String PRIVILEGES = "privileges";
  private static final String ROLES = "roles";

  private RoleDocument() {}

  /** Reads one. Actions that a newer version knows are passed over. */
  public static RoleDefinition parse(RawDocument document) {
    RoleName name = RoleNames.parse(RawValue.ofDocument(document), "");
    RawValue roles = document.get(ROLES);
    return new RoleDefinition(
        name,
        roles == null || !roles.isArray() ? List.of() : RoleNames.parseAll(roles, name.database()),
        grants(document.get(PRIVILEGES)),
        restrictions(document),
        false);
  }

  private static List<Grant> grants(RawValue array) {
    var grants = new ArrayList<Grant>();
    if (array == null || !array.isArray()) {
      return grants;
    }
    for (ElementCursor each = array.elements(); each.next(); ) {
      if (each.value().isDocument()) {
        RawDocument privilege = each.value().asDocument();
        grants.add(PrivilegeDocument.parse("privilege", privilege, new ArrayList<>()));
      }
    }
    return grants;
  }

  private static List<AuthenticationRestriction> restrictions(RawDocument document) {
    return RestrictionDocument.ofStored(document.get(RestrictionDocument.FIELD));
  }

  public static RawDocument write(RoleDefinition role) {
    var out = new BsonBuilder();
    out.appendString("_id", role.name().id())
        .appendString("role", role.name().role())
        .appendString("db", role.name().database());
    PrivilegeDocument.writeAll(PRIVILEGES, role.grants(), out);
    RoleNames.writeAll(ROLES, role.roles(), out);
    if (!role.restrictions().isEmpty()) {
      RestrictionDocument.writeAll(role.restrictions(), out);
    }
    return out.toDocument();
  }
}
