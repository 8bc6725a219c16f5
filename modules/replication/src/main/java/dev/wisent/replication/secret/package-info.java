/**
 * How members of a replica set prove to each other, on the port of the replicated log, that they
 * belong to it: {@link dev.wisent.replication.secret.MemberProof} binds the certificate of a
 * process to what only members know, a {@link dev.wisent.replication.secret.LogSecret} or the keys
 * of a key file ({@link dev.wisent.replication.secret.LogKeys}). Decision record 0043 has the
 * protocol. All types are thread-safe. Knows neither Raft nor gRPC.
 */
package dev.wisent.replication.secret;
