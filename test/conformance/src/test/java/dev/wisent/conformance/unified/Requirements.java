package dev.wisent.conformance.unified;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Decides from {@code runOnRequirements} whether a file or a case is for this server. */
record Requirements(ServerInfo server) {

  /** Why the file or case is not for this server; empty when it is. One of several will do. */
  Optional<String> unmet(BsonDocument fileOrCase) {
    if (fileOrCase.containsKey("skipReason")) {
      return Optional.of(fileOrCase.getString("skipReason").getValue());
    }
    BsonArray alternatives = fileOrCase.getArray("runOnRequirements", new BsonArray());
    List<String> reasons = new ArrayList<>();
    for (BsonValue alternative : alternatives) {
      Optional<String> reason = unmetBy(alternative.asDocument());
      if (reason.isEmpty()) {
        return Optional.empty();
      }
      reasons.add(reason.get());
    }
    // The last alternative is usually the one for the newest servers.
    return reasons.isEmpty() ? Optional.empty() : Optional.of(reasons.getLast());
  }

  private Optional<String> unmetBy(BsonDocument requirement) {
    for (String name : requirement.keySet()) {
      BsonValue value = requirement.get(name);
      Optional<String> reason =
          switch (name) {
            case "minServerVersion" -> unmetMinimum(value.asString().getValue());
            case "maxServerVersion" -> unmetMaximum(value.asString().getValue());
            case "topologies" -> unmetTopology(value.asArray());
            // 'require' is about a hosted service that no longer exists.
            case "serverless" -> unmetIf(isText(value, "require"), "serverless");
            case "auth" -> unmetIf(value.asBoolean().getValue(), "access control");
            case "authMechanism" -> Optional.of("access control");
            case "csfle" -> unmetIf(requires(value), "client-side encryption");
            case "serverParameters" -> unmetParameters(value.asDocument());
            default -> Optional.of("requirement " + name);
          };
      if (reason.isPresent()) {
        return reason;
      }
    }
    return Optional.empty();
  }

  private Optional<String> unmetMinimum(String version) {
    return unmetIf(!server.atLeast(version), "server from " + version);
  }

  private Optional<String> unmetMaximum(String version) {
    return unmetIf(!server.atMost(version), "an older server");
  }

  private Optional<String> unmetTopology(BsonArray topologies) {
    List<String> names = topologies.stream().map(t -> t.asString().getValue()).toList();
    return unmetIf(!names.contains(server.topology()), "topology " + String.join(" or ", names));
  }

  private Optional<String> unmetParameters(BsonDocument expected) {
    for (String name : expected.keySet()) {
      BsonValue actual = server.parameters().get(name);
      if (!ValueMatcher.sameValue(expected.get(name), actual)) {
        return Optional.of("server parameter " + name);
      }
    }
    return Optional.empty();
  }

  private static boolean isText(BsonValue value, String text) {
    return value.isString() && value.asString().getValue().equals(text);
  }

  private static boolean requires(BsonValue value) {
    return !value.isBoolean() || value.asBoolean().getValue();
  }

  private static Optional<String> unmetIf(boolean unmet, String reason) {
    return unmet ? Optional.of("needs " + reason) : Optional.empty();
  }
}
