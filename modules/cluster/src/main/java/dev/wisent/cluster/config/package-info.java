/** Keeps what the cluster knows about itself, and changes it. */
package dev.wisent.cluster.config;
