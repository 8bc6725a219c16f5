/**
 * Failures that tests ask for: {@link dev.wisent.server.failpoint.FailPoints} holds what {@link
 * dev.wisent.server.failpoint.ConfigureFailPointCommand} has switched on, and the dispatcher asks
 * it.
 */
package dev.wisent.server.failpoint;
