package dev.wisent.query.match;

import java.util.function.LongSupplier;

/**
 * A clock that stands still: that of an operation, all parts of which see the same time. What
 * depends on it can be computed in advance, and an index can help with it.
 */
@FunctionalInterface
public interface StandingClock extends LongSupplier {}
