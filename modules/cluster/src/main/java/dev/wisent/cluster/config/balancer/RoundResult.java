package dev.wisent.cluster.config.balancer;

/**
 * What a round has done.
 *
 * @param candidates how many ranges should move
 * @param moved how many have
 * @param changed how many chunks were split, marked, measured or merged instead
 * @param imbalanced how many collections have something to move
 */
record RoundResult(int candidates, int moved, int changed, int imbalanced) {}
