/**
 * What an audit log is about: {@link dev.wisent.security.audit.AuditAction} for what may be
 * recorded, {@link dev.wisent.security.audit.AuditOptions} for where to. Immutable; the server
 * raises events and writes them.
 */
package dev.wisent.security.audit;
