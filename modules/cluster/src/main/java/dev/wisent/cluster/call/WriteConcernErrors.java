package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.List;
import java.util.stream.Collectors;

/** The {@code writeConcernError}s of several shards as one, in the words of MongoDB's router. */
final class WriteConcernErrors {
  private WriteConcernErrors() {}

  /** The error of a shard, as it stands in its reply. */
  record OfShard(String shard, RawDocument error) {
    private String text() {
      RawValue name = error.get("codeName");
      RawValue info = error.get("errInfo");
      return (name == null ? "Location" + error.get("code").toLong() : name.asString())
          + ": "
          + message(error)
          + (info == null ? "" : "; Error details: " + ValueText.of(info.asDocument()))
          + " at "
          + shard;
    }
  }

  /** Null where there are none. */
  static RawDocument combined(List<OfShard> errors) {
    if (errors.isEmpty()) {
      return null;
    }
    RawDocument first = errors.getFirst().error();
    var out = new BsonBuilder(256);
    out.append("code", first.get("code"));
    if (first.get("codeName") != null) {
      out.append("codeName", first.get("codeName"));
    }
    String texts = errors.stream().map(OfShard::text).collect(Collectors.joining(" :: and :: "));
    out.appendString("errmsg", errors.size() == 1 ? texts : "Multiple errors reported :: " + texts);
    if (first.get("errInfo") != null) {
      out.append("errInfo", first.get("errInfo"));
    }
    return out.toDocument();
  }

  private static String message(RawDocument error) {
    RawValue message = error.get("errmsg");
    return message == null ? "" : message.asString();
  }
}
