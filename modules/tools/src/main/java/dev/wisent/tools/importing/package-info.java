/**
 * {@code wisent import}: JSON, CSV or TSV into a collection.
 *
 * <p>{@link dev.wisent.tools.importing.ImportTool} is the way through it; a {@link
 * dev.wisent.tools.importing.DocumentSource} makes documents of text, and {@link
 * dev.wisent.tools.importing.ImportBatches} writes them.
 *
 * <p>Threading: one thread reads, others write.
 */
package dev.wisent.tools.importing;
