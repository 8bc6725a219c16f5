/**
 * The metadata of a cluster on its config servers: documents of the database {@code config}, read
 * by {@link dev.wisent.cluster.config.metadata.CatalogStore} and changed by {@link
 * dev.wisent.cluster.config.metadata.CatalogWriter}, and the calls to the shards that they name.
 */
package dev.wisent.cluster.config.metadata;
