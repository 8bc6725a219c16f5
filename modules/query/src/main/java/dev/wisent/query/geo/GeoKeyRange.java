package dev.wisent.query.geo;

import dev.wisent.bson.RawValue;

/** Keys of a place in an index, from one to another, both included. */
public record GeoKeyRange(RawValue low, RawValue high) {}
