package dev.wisent.server.user;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.PrivilegeDocument;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.RestrictionDocument;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of a stored user or role while they change: each stays where it was. */
final class StoredFields {
  private final Map<String, RawValue> fields = new LinkedHashMap<>();

  StoredFields(RawDocument stored) {
    for (ElementCursor each = stored.elements(); each.next(); ) {
      fields.put(each.name(), each.value());
    }
  }

  void set(String field, RawValue value) {
    fields.put(field, value);
  }

  void setRoles(Collection<RoleName> roles) {
    var out = new BsonBuilder();
    RoleNames.writeAll("roles", roles, out);
    set("roles", out.toDocument().get("roles"));
  }

  void setPrivileges(List<Grant> grants) {
    var out = new BsonBuilder();
    PrivilegeDocument.writeAll("privileges", grants, out);
    set("privileges", out.toDocument().get("privileges"));
  }

  /** An empty list takes them away. */
  void setRestrictions(List<AuthenticationRestriction> restrictions) {
    if (restrictions.isEmpty()) {
      fields.remove(RestrictionDocument.FIELD);
      return;
    }
    var out = new BsonBuilder();
    RestrictionDocument.writeAll(restrictions, out);
    set(RestrictionDocument.FIELD, out.toDocument().get(RestrictionDocument.FIELD));
  }

  RawDocument document() {
    var out = new BsonBuilder();
    fields.forEach(out::append);
    return out.toDocument();
  }
}
