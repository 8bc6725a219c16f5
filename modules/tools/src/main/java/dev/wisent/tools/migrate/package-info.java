/**
 * {@code wisent migrate}: moves a deployment to another one while it is used.
 *
 * <p>A {@link dev.wisent.tools.migrate.Migration} is one run. It knows what the run before it has
 * done from the {@link dev.wisent.tools.migrate.MigrationState} in the target. A {@link
 * dev.wisent.tools.migrate.Copier} brings collections, documents and indexes in line with the
 * source; a {@link dev.wisent.tools.migrate.Follower} reads from the change stream what was touched
 * and brings that in line; {@link dev.wisent.tools.migrate.Verification} compares both sides
 * meanwhile, and at the end what has changed since. All of these compare states and repeat no
 * commands, so that each may be done again at any time.
 *
 * <p>Threading: one thread runs a migration. It starts others to copy, to apply and to compare, and
 * waits for them; a beat of the {@link dev.wisent.tools.migrate.Lease} runs beside it.
 */
package dev.wisent.tools.migrate;
