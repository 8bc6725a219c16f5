/**
 * A replica set of real processes under load, while its members are killed, paused, restarted and
 * cut off from each other.
 *
 * <ul>
 *   <li>{@link dev.wisent.conformance.fault.FaultTest}: the test;
 *   <li>{@link dev.wisent.conformance.fault.FaultClient}: one client, which notes what it was told;
 *   <li>{@link dev.wisent.conformance.fault.InsertHistory}, {@link
 *       dev.wisent.conformance.fault.CounterHistory}, {@link
 *       dev.wisent.conformance.fault.RegisterHistory}: what was told, and whether a database that
 *       keeps its word can have said it;
 *   <li>{@link dev.wisent.conformance.fault.Faults}: what is done to the members.
 * </ul>
 */
package dev.wisent.conformance.fault;
