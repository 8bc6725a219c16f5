/**
 * Roles: those that every server has ({@link dev.wisent.security.role.BuiltinRoles}) and those that
 * users define, and what they inherit. Immutable.
 */
package dev.wisent.security.role;
