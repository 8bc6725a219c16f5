/**
 * Calls between nodes, and who is who in another replica set.
 *
 * <p>{@link dev.wisent.wire.client.NodeClient} sends commands as bytes; {@link
 * dev.wisent.wire.client.PooledNodeClient} does so over bounded pools of connections, one pool per
 * host. A call has a deadline, can be cancelled, and fails at once where its host is taken for
 * dead. TLS, internal authentication and the gossip of cluster times are hooks of {@link
 * dev.wisent.wire.client.NodeClientOptions}.
 *
 * <p>Threading: public types are thread-safe. A call under way has a thread, on which the stages
 * that depend on its future run, or is made by the caller's own ({@link
 * dev.wisent.wire.client.SentCall}), which is cheaper; one loop waits for deadlines.
 */
package dev.wisent.wire.client;
