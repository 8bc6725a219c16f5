/**
 * From flags to a connected driver.
 *
 * <p>{@link dev.wisent.tools.connection.ConnectionFlags} lists the flags that all tools share,
 * {@link dev.wisent.tools.connection.ConnectionSettings} makes the driver's settings of them, and
 * {@link dev.wisent.tools.connection.Deployment} is a server, replica set or cluster after the
 * first answer. {@link dev.wisent.tools.connection.MemberDiscovery} has it choose among all members
 * of a set, not only those that answer first. {@link dev.wisent.tools.connection.Attempts} repeats
 * what may be repeated while another primary is elected.
 *
 * <p>Threading: a {@code Deployment} may be used by all threads of a tool, as the driver may.
 */
package dev.wisent.tools.connection;
