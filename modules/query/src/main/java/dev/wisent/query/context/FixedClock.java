package dev.wisent.query.context;

import java.util.function.LongSupplier;

/**
 * A clock that always gives the same time: that of an operation, all parts of which see one time.
 * What depends on it can be computed in advance, and an index can help with it.
 */
@FunctionalInterface
public interface FixedClock extends LongSupplier {}
