package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.query.key.KeyPattern;

/** Whether the range of a zone, given before its collection is sharded, is one of the shard key. */
public final class ZoneCheck {
  private ZoneCheck() {}

  /** Fails with InvalidOptions unless both bounds have all fields of the key, in its order. */
  public static void check(ShardKeyPattern key, ChunkRange zone) {
    if (!hasFieldsOf(key, zone.min()) || !hasFieldsOf(key, zone.max())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "the proposed shard key %s does not match with the shard key of the existing zone %s"
              .formatted(ValueText.of(key.pattern()), text(zone)));
    }
    if (!hasHashes(key, zone.min()) || !hasHashes(key, zone.max())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          ("cannot do hash sharding with the proposed key %s because there exists a zone %s whose"
                  + " boundaries are not of type NumberLong, MinKey or MaxKey")
              .formatted(ValueText.of(key.pattern()), text(zone)));
    }
  }

  private static boolean hasFieldsOf(ShardKeyPattern key, RawDocument bound) {
    ElementCursor given = bound.elements();
    ElementCursor wanted = key.pattern().elements();
    while (wanted.next()) {
      if (!given.next() || !given.name().equals(wanted.name())) {
        return false;
      }
    }
    return !given.next();
  }

  private static boolean hasHashes(ShardKeyPattern key, RawDocument bound) {
    if (!key.isHashed()) {
      return true;
    }
    KeyPattern.Field hashed = key.fields().get(key.hashedField());
    byte type = bound.get(hashed.path().dotted()).type();
    return type == ElementType.INT64 || type == ElementType.MIN_KEY || type == ElementType.MAX_KEY;
  }

  private static String text(ChunkRange zone) {
    return ValueText.of(zone.min()) + " -->> " + ValueText.of(zone.max());
  }
}
