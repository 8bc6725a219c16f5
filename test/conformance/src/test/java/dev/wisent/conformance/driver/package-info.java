/**
 * What applications do through the official Java driver beyond single CRUD operations: cursors over
 * several batches, tailable cursors, GridFS, compression, server monitoring, limits, error details.
 *
 * <p>They share one server; each test gets an empty database through {@link
 * dev.wisent.conformance.driver.DriverFixture}.
 *
 * <p>Threading: JUnit runs one test after the other; tests that need a second thread start one.
 */
package dev.wisent.conformance.driver;
