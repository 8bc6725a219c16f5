package dev.wisent.cluster.config.balancer;

/**
 * What a round has done.
 *
 * @param candidates how many ranges should move
 * @param moved how many have
 * @param marked how many were too large, and are split or marked as jumbo now
 * @param imbalanced how many collections have something to move
 */
record RoundResult(int candidates, int moved, int marked, int imbalanced) {}
