package dev.wisent.sharding.balance;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Distributes data over shards so that all have the same in the end, as water fills connected
 * basins: a shard that has much already gets less, or nothing, and none gets more than it may have.
 */
final class WaterLevel {
  private WaterLevel() {}

  /**
   * How much each shard should have.
   *
   * @param floors what each has besides
   * @param capacities how much each may get; infinite for no limit
   * @return less than the total in sum only if all capacities are used up
   */
  static double[] fill(double total, double[] floors, double[] capacities) {
    int shards = floors.length;
    var changes = new double[2 * shards][];
    for (int i = 0; i < shards; i++) {
      changes[2 * i] = new double[] {floors[i], 1};
      changes[2 * i + 1] = new double[] {floors[i] + capacities[i], -1};
    }
    Arrays.sort(changes, Comparator.comparingDouble(change -> change[0]));
    double level = shards == 0 ? 0 : changes[0][0];
    double left = total;
    double open = 0;
    for (double[] change : changes) {
      double needed = open == 0 ? 0 : (change[0] - level) * open;
      if (needed >= left) {
        break;
      }
      left -= needed;
      level = change[0];
      open += change[1];
    }
    if (open > 0) {
      level += left / open;
    }
    var shares = new double[shards];
    for (int i = 0; i < shards; i++) {
      shares[i] = Math.clamp(level - floors[i], 0, capacities[i]);
    }
    return shares;
  }
}
