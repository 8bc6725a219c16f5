package dev.wisent.cluster.config.balancer;

/**
 * What a round has done.
 *
 * @param candidates how many ranges should move
 * @param moved how many have
 * @param imbalanced how many collections have something to move
 */
record RoundResult(int candidates, int moved, int imbalanced) {
  static final RoundResult NOTHING = new RoundResult(0, 0, 0);
}
