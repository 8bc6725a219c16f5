package dev.wisent.cluster.coordinator;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.UUID;

/**
 * A run as it is stored, before each of its phases.
 *
 * @param key of the request that began it; null if it had none
 * @param attempt how many primaries have taken it up
 * @param phase the one that runs next
 * @param failure why the run is being undone; null if it is not
 */
record CoordinatorDocument(
    String type,
    String resource,
    UUID id,
    UUID key,
    long attempt,
    String phase,
    RawDocument arguments,
    RawDocument data,
    CommandException failure) {
  static CoordinatorDocument of(RawDocument stored) {
    RawDocument key = stored.get("_id").asDocument();
    RawValue failure = stored.get("failure");
    RawValue request = stored.get("key");
    RawValue attempt = stored.get("attempt");
    return new CoordinatorDocument(
        key.get("operationType").asString(),
        key.get("namespace").asString(),
        stored.get("id").asUuid(),
        request == null ? null : request.asUuid(),
        attempt == null ? 1 : attempt.toLong(),
        stored.get("phase").asString(),
        stored.get("arguments").asDocument(),
        stored.get("data").asDocument(),
        failure == null ? null : RunOutcome.failure(failure.asDocument()));
  }

  RawValue storedId() {
    return RawValue.ofDocument(
        new BsonBuilder()
            .appendString("namespace", resource)
            .appendString("operationType", type)
            .toDocument());
  }

  RawDocument toDocument() {
    var out = new BsonBuilder();
    out.append("_id", storedId()).appendUuid("id", id);
    out.appendInt64("attempt", attempt).appendString("phase", phase);
    if (key != null) {
      out.appendUuid("key", key);
    }
    out.appendDocument("arguments", arguments).appendDocument("data", data);
    if (failure != null) {
      out.appendDocument("failure", RunOutcome.document(failure));
    }
    return out.toDocument();
  }

  CoordinatorDocument at(String next, RawDocument more) {
    var merged = new BsonBuilder().appendAll(data);
    ElementCursor fields = more.elements();
    while (fields.next()) {
      if (data.get(fields.name()) == null) {
        merged.appendElement(fields);
      }
    }
    return new CoordinatorDocument(
        type, resource, id, key, attempt, next, arguments, merged.toDocument(), failure);
  }

  CoordinatorDocument takenUp() {
    return new CoordinatorDocument(
        type, resource, id, key, attempt + 1, phase, arguments, data, failure);
  }

  CoordinatorDocument failed(CommandException why) {
    return new CoordinatorDocument(type, resource, id, key, attempt, phase, arguments, data, why);
  }
}
