package dev.wisent.security.role;

import dev.wisent.security.RoleName;
import java.util.Collection;
import java.util.Map;

/** Where the roles are that users have defined. */
@FunctionalInterface
public interface RoleSource {
  /** Those of the given names that there are. */
  Map<RoleName, RoleDefinition> roles(Collection<RoleName> names);
}
