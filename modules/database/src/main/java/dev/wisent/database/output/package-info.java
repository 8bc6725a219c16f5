/** Writes what pipelines have made: {@code $out} and {@code $merge}. */
package dev.wisent.database.output;
