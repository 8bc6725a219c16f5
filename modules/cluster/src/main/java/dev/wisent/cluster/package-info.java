/** The roles of a sharded cluster, on what every server has in common. */
package dev.wisent.cluster;
