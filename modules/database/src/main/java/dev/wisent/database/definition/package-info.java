/**
 * {@link dev.wisent.database.definition.NodeDefinitions} serves the {@code Definitions} seam from
 * the catalog of a node; beside it are the rules for what may be defined. Thread-safe.
 */
package dev.wisent.database.definition;
