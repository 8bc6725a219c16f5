/**
 * Collections and indexes as they are written down in the catalog keyspace. The bytes are specified
 * in {@link dev.wisent.database.catalog.CatalogKeys}. Immutable values.
 */
package dev.wisent.database.catalog;
