/**
 * Shapes on the plane and on the sphere: read from GeoJSON and from legacy coordinate pairs, asked
 * whether they contain or meet each other and how far they are, and turned into the cells that
 * {@code 2dsphere} and {@code 2d} indexes have as keys.
 *
 * <p>{@link dev.wisent.query.geo.GeoValue} is what a document has, {@link
 * dev.wisent.query.geo.GeoArea} what {@code $geoWithin} and {@code $geoIntersects} are given,
 * {@link dev.wisent.query.geo.NearQuery} what {@code $near} is given. {@link
 * dev.wisent.query.geo.GeoCells} makes keys, {@link dev.wisent.query.geo.NearCells} says which of
 * them to read next when the nearest come first. The geometry of the sphere is that of the S2
 * library, whose types stay in this package.
 *
 * <p>Everything but that is immutable and may be shared between threads. Nothing here is loaded
 * before a query asks for a place.
 */
package dev.wisent.query.geo;
