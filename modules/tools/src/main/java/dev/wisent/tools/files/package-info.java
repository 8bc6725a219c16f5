/**
 * {@code wisent files}: files in GridFS.
 *
 * <p>{@link dev.wisent.tools.files.FilesTool} has the commands, {@link
 * dev.wisent.tools.files.FilesCheck} compares files with their chunks.
 *
 * <p>Threading: one thread.
 */
package dev.wisent.tools.files;
