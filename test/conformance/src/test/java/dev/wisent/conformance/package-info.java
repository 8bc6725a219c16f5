/**
 * Behaviour of the whole server, seen from outside through unchanged clients.
 *
 * <p>This package holds the drivers' specification cases: {@link
 * dev.wisent.conformance.UnifiedSpecTest} turns every file into a container of tests, {@link
 * dev.wisent.conformance.ExpectedFailures} knows which of them are not expected to pass yet and
 * {@link dev.wisent.conformance.Tally} counts. The packages below hold the runner of those cases
 * ({@code unified}), the Java driver's behaviour ({@code driver}), JavaScript clients ({@code
 * node}) and killing the server under load ({@code crash}).
 *
 * <p>Threading: cases run one after the other on JUnit's thread. Only the public interfaces of the
 * server are used: a connection string and a process.
 */
package dev.wisent.conformance;
