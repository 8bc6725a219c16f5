package dev.wisent.database.plan;

/**
 * The distances that a search has gone through.
 *
 * @param min where it begins
 * @param max where it ends
 * @param last whether what is exactly there belongs to it
 * @param buffered how many documents were found while it was read
 * @param returned how many of all that were found lay in it
 */
public record SearchInterval(double min, double max, boolean last, long buffered, long returned) {}
