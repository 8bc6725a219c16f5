package dev.wisent.replication.config;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a member of a configuration. */
final class MemberReader {
  private static final String OWNER = "MemberConfig";
  private static final int ID_MAX = 255;

  private int id = -1;
  private String host;
  private boolean arbiter;
  private boolean buildIndexes = true;
  private boolean hidden;
  private double priority = 1;
  private int votes = 1;
  private long delaySeconds;
  private Map<String, String> tags = Map.of();
  private boolean newlyAdded;
  private final boolean stored;

  private MemberReader(boolean stored) {
    this.stored = stored;
  }

  /**
   * @param stored whether a set has written it, and not an administrator
   */
  static MemberConfig read(RawDocument document, boolean stored) {
    return new MemberReader(stored).member(document);
  }

  private MemberConfig member(RawDocument document) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.type() != ElementType.NULL) {
        read(ConfigField.at(OWNER, fields), fields.name());
      }
    }
    if (id < 0) {
      throw ConfigField.missing(OWNER + "._id");
    }
    if (host == null) {
      throw ConfigField.missing(OWNER + ".host");
    }
    return new MemberConfig(
        id,
        host,
        arbiter,
        buildIndexes,
        hidden,
        arbiter && priority == 1 ? 0 : priority, // the default of an arbiter
        votes,
        delaySeconds,
        tags,
        newlyAdded);
  }

  private void read(ConfigField field, String name) {
    switch (name) {
      case "_id" -> id = field.number(0, ID_MAX);
      case "host" -> host = host(field.string());
      case "arbiterOnly" -> arbiter = field.bool();
      case "buildIndexes" -> buildIndexes = field.bool();
      case "hidden" -> hidden = field.bool();
      case "priority" -> priority = field.number();
      case "votes" -> votes = (int) Math.clamp(field.wholeNumber(), -1, 2);
      case "secondaryDelaySecs" -> delaySeconds = field.wholeNumber();
      case "tags" -> tags = tags(field.document());
      case "horizons" -> {
        if (!field.document().isEmpty()) {
          throw field.unsupported("horizons are not supported");
        }
      }
      case ConfigWriter.NEWLY_ADDED -> {
        if (!stored) {
          throw field.unknown();
        }
        newlyAdded = field.bool();
      }
      default -> throw field.unknown();
    }
  }

  private static String host(String text) {
    try {
      return HostAndPort.parse(text).toString();
    } catch (CommandException e) {
      throw ConfigField.bad(e.getMessage());
    }
  }

  private static Map<String, String> tags(RawDocument document) {
    var tags = new LinkedHashMap<String, String>();
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.type() != ElementType.STRING) {
        throw ConfigField.bad(
            "tags."
                + fields.name()
                + " field has non-string value of type "
                + ElementType.alias(fields.type()));
      }
      tags.put(fields.name(), fields.value().asString());
    }
    return tags;
  }
}
