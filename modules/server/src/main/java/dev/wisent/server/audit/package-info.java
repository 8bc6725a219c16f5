/**
 * The audit log: {@link dev.wisent.server.audit.AuditLog} is told what has happened, at most once
 * per event and before the client is. Thread-safe.
 */
package dev.wisent.server.audit;
