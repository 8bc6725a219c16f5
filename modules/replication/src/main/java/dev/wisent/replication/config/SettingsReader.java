package dev.wisent.replication.config;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.types.ObjectId;

/** Reads the settings of a configuration. */
final class SettingsReader {
  private static final String OWNER = "ReplSetConfigSettings";

  private boolean chainingAllowed = SetSettings.DEFAULTS.chainingAllowed();
  private int heartbeatIntervalMillis = SetSettings.DEFAULTS.heartbeatIntervalMillis();
  private int heartbeatTimeoutSeconds = SetSettings.DEFAULTS.heartbeatTimeoutSeconds();
  private int electionTimeoutMillis = SetSettings.DEFAULTS.electionTimeoutMillis();
  private int catchUpTimeoutMillis = SetSettings.DEFAULTS.catchUpTimeoutMillis();
  private int catchUpTakeoverDelayMillis = SetSettings.DEFAULTS.catchUpTakeoverDelayMillis();
  private Map<String, Map<String, Integer>> modes = Map.of();
  private ObjectId replicaSetId;

  private SettingsReader() {}

  static SetSettings read(RawDocument document) {
    return new SettingsReader().settings(document);
  }

  private SetSettings settings(RawDocument document) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.type() != ElementType.NULL) {
        read(ConfigField.at(OWNER, fields), fields.name());
      }
    }
    return new SetSettings(
        chainingAllowed,
        heartbeatIntervalMillis,
        heartbeatTimeoutSeconds,
        electionTimeoutMillis,
        catchUpTimeoutMillis,
        catchUpTakeoverDelayMillis,
        modes,
        replicaSetId);
  }

  private void read(ConfigField field, String name) {
    switch (name) {
      case "chainingAllowed" -> chainingAllowed = field.bool();
      case "heartbeatIntervalMillis" ->
          heartbeatIntervalMillis = field.number(1, Integer.MAX_VALUE);
      case "heartbeatTimeoutSecs" ->
          heartbeatTimeoutSeconds = field.number(1, Integer.MAX_VALUE / 1000);
      case "electionTimeoutMillis" -> electionTimeoutMillis = field.number(1, Integer.MAX_VALUE);
      case "catchUpTimeoutMillis" -> catchUpTimeoutMillis = field.number(-1, Integer.MAX_VALUE);
      case "catchUpTakeoverDelayMillis" ->
          catchUpTakeoverDelayMillis = field.number(-1, Integer.MAX_VALUE);
      case "getLastErrorModes" -> modes = modes(field.document());
      case "getLastErrorDefaults" -> checkOldDefaults(field.document());
      case "replicaSetId" -> replicaSetId = field.objectId();
      default -> throw field.unknown();
    }
  }

  private static Map<String, Map<String, Integer>> modes(RawDocument document) {
    var modes = new LinkedHashMap<String, Map<String, Integer>>();
    ElementCursor fields = document.elements();
    while (fields.next()) {
      String name = fields.name();
      if (name.equals("majority") || modes.containsKey(name)) {
        throw ConfigField.bad(
            modes.containsKey(name)
                ? "settings.getLastErrorModes contains multiple fields named " + name
                : "settings.getLastErrorModes may not define the mode " + name);
      }
      modes.put(name, constraints(name, fields));
    }
    return modes;
  }

  private static Map<String, Integer> constraints(String mode, ElementCursor fields) {
    String path = "settings.getLastErrorModes." + mode;
    if (fields.type() != ElementType.DOCUMENT) {
      throw ConfigField.bad(
          "Expected " + path + " to be an object, not " + ElementType.alias(fields.type()));
    }
    var constraints = new LinkedHashMap<String, Integer>();
    ElementCursor tags = fields.value().elements();
    while (tags.next()) {
      RawValue count = tags.value();
      String tagPath = path + "." + tags.name();
      if (!count.isNumber()) {
        throw ConfigField.bad(
            "Expected " + tagPath + " to be a number, not " + ElementType.alias(count.type()));
      }
      if (count.toLong() <= 0 || count.toLong() > Integer.MAX_VALUE) {
        throw ConfigField.bad(
            "Value of " + tagPath + " must be positive, but found " + count.toLong());
      }
      constraints.put(tags.name(), (int) count.toLong());
    }
    return constraints;
  }

  /** {@code rs.conf()} of old and new shells sends the defaults back; nothing else may be asked. */
  private static void checkOldDefaults(RawDocument document) {
    RawValue w = document.get("w");
    RawValue timeout = document.get("wtimeout");
    RawValue journal = document.get("j");
    boolean defaults =
        (w == null || (w.isNumber() && w.toLong() == 1))
            && (timeout == null || (timeout.isNumber() && timeout.toLong() == 0))
            && (journal == null || !journal.isTruthy());
    if (!defaults) {
      throw ConfigField.bad(
          "Default write concern can't be configured through settings.getLastErrorDefaults; use the"
              + " setDefaultRWConcern command instead");
    }
  }
}
