/**
 * For tests of the server as a whole: {@link dev.wisent.server.harness.EmbeddedServer} runs one for
 * a test class and talks to it through the driver, {@link dev.wisent.server.harness.RawClient}
 * sends bytes as told. Each is used by one test at a time.
 */
package dev.wisent.server.harness;
