/**
 * {@code wisent bsondump}: a {@code .bson} file as text.
 *
 * <p>Threading: one thread.
 */
package dev.wisent.tools.bsondump;
