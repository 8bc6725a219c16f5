/**
 * Real clients that log in to real server processes with access control and TLS, and those that
 * must not get in.
 *
 * <p>A {@link dev.wisent.conformance.access.ClosedDeployment} is a node, a replica set or a cluster
 * with users; a {@link dev.wisent.conformance.access.LoginCase} is one attempt with what has to
 * come of it; a {@link dev.wisent.conformance.access.ClientProgram} makes the attempts with one
 * driver or shell. {@link dev.wisent.conformance.access.SecurityPageTest} runs what {@code
 * docs/security.md} says. {@link dev.wisent.conformance.access.EveryPortTest} tries all ports of
 * the processes of a cluster without a login, a key or a certificate.
 *
 * <p>Threading: the clients of a deployment work at the same time, each in a thread of its own.
 */
package dev.wisent.conformance.access;
