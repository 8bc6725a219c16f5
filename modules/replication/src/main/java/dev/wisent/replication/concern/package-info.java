/**
 * How far a write has got in a replica set, and whether that is as far as a client asks. Pure
 * functions of a configuration and of what members have told.
 */
package dev.wisent.replication.concern;
