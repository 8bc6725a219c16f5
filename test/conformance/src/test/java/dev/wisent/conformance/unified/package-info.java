/**
 * A runner for the drivers' unified test format (schema 1.x) on top of the Java driver.
 *
 * <ul>
 *   <li>{@link dev.wisent.conformance.unified.CaseRunner}: one case from requirements to outcome;
 *   <li>{@link dev.wisent.conformance.unified.Entities} and {@link
 *       dev.wisent.conformance.unified.EntityFactory}: the named clients, collections, sessions and
 *       cursors of a case;
 *   <li>{@link dev.wisent.conformance.unified.OperationExecutor} with one {@code *Operations} class
 *       for each family of operations;
 *   <li>{@link dev.wisent.conformance.unified.ValueMatcher} and {@link
 *       dev.wisent.conformance.unified.ErrorMatcher}: what is expected against what came;
 *   <li>{@link dev.wisent.conformance.unified.ExpectedCommands}: what the clients sent.
 * </ul>
 *
 * <p>A case that uses something the runner or the driver does not have is skipped, never passed
 * (see {@link dev.wisent.conformance.unified.Arguments}).
 *
 * <p>Threading: a case runs on one thread; only the driver's listeners are called from others.
 */
package dev.wisent.conformance.unified;
