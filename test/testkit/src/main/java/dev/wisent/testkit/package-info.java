/**
 * What tests outside a single module share: real server processes, free ports, waiting with a
 * deadline, and running JavaScript clients.
 *
 * <ul>
 *   <li>{@link dev.wisent.testkit.TestServer}: anything with a connection string;
 *   <li>{@link dev.wisent.testkit.TestServers}: the server a test run works against;
 *   <li>{@link dev.wisent.testkit.ServerProcess}: a server in its own JVM that can be killed;
 *   <li>{@link dev.wisent.testkit.ToolProcess}: a tool in its own JVM;
 *   <li>{@link dev.wisent.testkit.Eventually}: waiting for a condition instead of sleeping;
 *   <li>{@link dev.wisent.testkit.NodePackages} and {@link dev.wisent.testkit.NodeScript}: npm
 *       packages and scripts that use them.
 * </ul>
 *
 * <p>Threading: the types are confined to one test thread, except {@link
 * dev.wisent.testkit.ServerProcess#kill()}, which any thread may call.
 */
package dev.wisent.testkit;
