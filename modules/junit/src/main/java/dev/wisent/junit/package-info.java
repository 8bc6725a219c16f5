/**
 * Tests with JUnit on a Wisent inside their JVM.
 *
 * <p>{@link dev.wisent.junit.WisentTest} is all that tests see; {@code WisentExtension} does what
 * it says, with servers that it leases from a {@code ServerPool}. A test class has its servers for
 * itself as long as it runs, so classes may run at the same time.
 *
 * <p>The driver is optional: only {@code DriverClients} uses it.
 */
package dev.wisent.junit;
