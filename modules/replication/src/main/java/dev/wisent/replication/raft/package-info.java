/**
 * The replicated log: entries are agreed upon by a majority, on disk there, and applied in the same
 * order everywhere. Apache Ratis does this; nothing outside of the package knows.
 */
package dev.wisent.replication.raft;
