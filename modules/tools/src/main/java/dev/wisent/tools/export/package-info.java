/**
 * {@code wisent export}: a collection or view as JSON, CSV or TSV.
 *
 * <p>Threading: one thread.
 */
package dev.wisent.tools.export;
