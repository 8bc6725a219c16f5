/**
 * Who may do what: names of users and roles. The packages below know credentials ({@code scram}),
 * users ({@code user}), roles and privileges ({@code privilege}) and certificates ({@code tls}) as
 * immutable values and pure functions. Where users are stored, which connection is logged in and
 * which command needs what is the server's.
 */
package dev.wisent.security;
