/**
 * Users as they are stored and as they log in: {@link dev.wisent.security.user.User} with all that
 * its roles give, {@link dev.wisent.security.user.Identity} for what a connection has proven.
 * Immutable.
 */
package dev.wisent.security.user;
