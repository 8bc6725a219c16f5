/**
 * Projections of {@code find}: which fields of a document are sent.
 *
 * <p>{@link dev.wisent.query.projection.Projection} is parsed once and then copies the wanted
 * ranges of bytes of many documents; what is not wanted is skipped, not decoded. {@link
 * dev.wisent.query.projection.ComputedFields} are laid over what is left. Projections are immutable
 * and may be shared between threads; the builders they write to may not.
 */
package dev.wisent.query.projection;
