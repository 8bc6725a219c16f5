/**
 * Logins: {@link dev.wisent.server.authentication.Logins} decides them, {@code saslStart}, {@code
 * saslContinue}, {@code authenticate} and {@code hello} are where they come from, {@link
 * dev.wisent.server.authentication.MemberLogin} is how this server logs in to others, {@link
 * dev.wisent.server.authentication.UserLogin} how a program does. What a login has proven is the
 * {@code Identity} of the connection. Thread-safe; a connection has one command at a time.
 */
package dev.wisent.server.authentication;
