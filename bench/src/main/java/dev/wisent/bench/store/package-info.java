/**
 * The operations that workloads perform, and their two bindings: the official Java driver ({@link
 * dev.wisent.bench.store.MongoStore}) and PostgreSQL's JDBC driver ({@link
 * dev.wisent.bench.store.PostgresStore}), where a collection is a table of {@code (id text primary
 * key, doc jsonb)}.
 *
 * <p>Both bindings take and return documents in the form the server uses, without decoding: the
 * clients share the machine with the servers and should cost little. A {@link
 * dev.wisent.bench.store.Store} is shared by threads; a {@link dev.wisent.bench.store.Session}
 * belongs to one client thread.
 */
package dev.wisent.bench.store;
