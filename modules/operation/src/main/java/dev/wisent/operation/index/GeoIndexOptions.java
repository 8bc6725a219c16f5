package dev.wisent.operation.index;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.geo.GeoCells;

/** What {@code 2dsphere} and {@code 2d} indexes have that others have not. */
final class GeoIndexOptions {
  private static final String SPHERE = "2dsphere";
  private static final String PLANE = "2d";
  private static final String VERSION = "2dsphereIndexVersion";
  private static final int VERSION_LAST = 3;

  private GeoIndexOptions() {}

  static boolean isGeo(String kind) {
    return kind.equals(SPHERE) || kind.equals(PLANE);
  }

  /** The specification with what is understood, if it is one of places; checked. */
  static RawDocument complete(RawDocument spec) {
    RawDocument key = spec.get("key").asDocument();
    return switch (IndexKeyCheck.kind(key)) {
      case SPHERE -> {
        GeoCells.ofSphere(spec);
        yield withVersion(spec);
      }
      case PLANE -> {
        checkPlaneKey(key);
        GeoCells.ofPlane(spec);
        yield spec;
      }
      default -> spec;
    };
  }

  private static void checkPlaneKey(RawDocument key) {
    int places = 0;
    int others = 0;
    ElementCursor fields = key.elements();
    while (fields.next()) {
      if (!fields.value().isString()) {
        others++;
      } else if (++places > 1) {
        throw new CommandException(ErrorCode.SEVERAL_GEO_FIELDS, "can't have 2 geo fields");
      } else if (others > 0) {
        throw new CommandException(ErrorCode.GEO_FIELD_NOT_FIRST, "2d has to be first in index");
      }
    }
  }

  /** Only the newest version of keys is written. */
  private static RawDocument withVersion(RawDocument spec) {
    RawValue version = spec.get(VERSION);
    if (version == null) {
      return new BsonBuilder().appendAll(spec).appendInt32(VERSION, VERSION_LAST).toDocument();
    }
    if (version.toDouble() != VERSION_LAST) {
      throw IndexKeyCheck.cannotCreate(
          "unsupported geo index version { "
              + VERSION
              + " : "
              + ValueText.of(version)
              + " }, only support versions: ["
              + VERSION_LAST
              + "]");
    }
    return spec;
  }
}
