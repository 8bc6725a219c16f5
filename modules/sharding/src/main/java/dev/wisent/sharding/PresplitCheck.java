package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.ValueOrder;
import java.util.List;

/** Whether zones allow {@code presplitHashedZones}. */
final class PresplitCheck {
  private static final String UNFIT =
      "One or more zones are not defined in a manner that supports hashed pre-splitting. ";

  private PresplitCheck() {}

  static void check(ShardKeyPattern key, List<ZoneRange> zones, boolean empty) {
    if (!empty || zones.isEmpty() || !key.isHashed()) {
      throw new CommandException(
          ErrorCode.PRESPLIT_NOT_SUPPORTED,
          "'presplitHashedZones' is only supported when the collection is empty, zones are set up"
              + " and shard key pattern has a hashed field");
    }
    if (key.hasHashedPrefix()) {
      ChunkRange first = zones.getFirst().range();
      if (zones.size() != 1
          || !ValueOrder.equal(first.min(), key.globalMin())
          || !ValueOrder.equal(first.max(), key.globalMax())) {
        throw new CommandException(
            ErrorCode.PRESPLIT_ZONE_NOT_WHOLE,
            "For hashed prefix shard keys, 'presplitHashedZones' is only supported when there is a"
                + " single zone defined which covers entire shard key range");
      }
    } else {
      zones.forEach(zone -> check(key, zone));
    }
  }

  private static void check(ShardKeyPattern key, ZoneRange zone) {
    ElementCursor min = zone.range().min().elements();
    ElementCursor max = zone.range().max().elements();
    boolean differs = false;
    for (int i = 0; i < key.hashedField() && min.next() && max.next(); i++) {
      if (min.type() == ElementType.MIN_KEY || min.type() == ElementType.MAX_KEY) {
        throw unfit(
            ErrorCode.PRESPLIT_ZONE_WITHOUT_PREFIX,
            "Cannot have MinKey or MaxKey in the lower bound for fields preceding the hashed field"
                + " but found one",
            zone);
      }
      differs |= !ValueOrder.equal(min.value(), max.value());
    }
    if (!differs) {
      throw unfit(
          ErrorCode.PRESPLIT_ZONE_OF_ONE_PREFIX,
          "The value preceding hashed field of the upper bound should be greater than that of"
              + " lower bound",
          zone);
    }
    if (!min.next() || min.type() != ElementType.MIN_KEY) {
      throw unfit(
          ErrorCode.PRESPLIT_ZONE_WITHIN_HASHES,
          "The hashed field value for lower bound must be MinKey",
          zone);
    }
    while (min.next()) {
      if (min.type() != ElementType.MIN_KEY) {
        throw unfit(
            ErrorCode.PRESPLIT_ZONE_WITH_SUFFIX,
            "The fields after the hashed field must have MinKey value",
            zone);
      }
    }
  }

  private static CommandException unfit(ErrorCode code, String why, ZoneRange zone) {
    return new CommandException(code, UNFIT + why + ", for zone " + zone.zone());
  }
}
