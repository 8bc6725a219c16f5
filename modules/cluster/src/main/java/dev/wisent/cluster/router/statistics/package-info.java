/** Commands that shards answer for their part of a collection, and how the answers become one. */
package dev.wisent.cluster.router.statistics;
