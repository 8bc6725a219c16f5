/**
 * What roles allow: {@link dev.wisent.security.privilege.Grant} gives {@link
 * dev.wisent.security.privilege.Action actions} on what a {@link
 * dev.wisent.security.privilege.ResourcePattern} matches. Immutable.
 */
package dev.wisent.security.privilege;
