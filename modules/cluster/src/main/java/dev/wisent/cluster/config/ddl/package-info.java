/**
 * The coordinators that change databases and collections of a cluster, and the changes of chunks. A
 * coordinator runs on the primary of the config servers and sends its shards commands that can be
 * repeated.
 */
package dev.wisent.cluster.config.ddl;
