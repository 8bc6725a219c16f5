/**
 * Documents while they are being changed, and the rules that stored documents obey.
 *
 * <p>{@link dev.wisent.query.update.element.MutableDocument} lays edits over the bytes of a
 * document and encodes the result with one copy; {@link
 * dev.wisent.query.update.element.StorageRules} checks names, {@code _id} and nesting; {@link
 * dev.wisent.query.update.element.ElementText} writes values the way MongoDB's error messages show
 * them.
 *
 * <p>A mutable document belongs to one thread. Everything else is stateless.
 */
package dev.wisent.query.update.element;
