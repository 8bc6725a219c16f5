package dev.wisent.replication.config;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads configuration documents: those of administrators, and those that sets have stored. */
public final class ConfigReader {
  static final String LOG_GROUP = "logGroup";
  private static final String OWNER = "ReplSetConfig";

  private String name;
  private int version = 1;
  private long term = ReplicaSetConfig.NO_TERM;
  private List<MemberConfig> members;
  private SetSettings settings = SetSettings.DEFAULTS;
  private UUID logGroup;

  private ConfigReader() {}

  /**
   * Reads what an administrator wrote.
   *
   * @throws dev.wisent.base.CommandException InvalidReplicaSetConfig if it is malformed; whether it
   *     makes sense is {@link ConfigRules}' to say
   */
  public static ReplicaSetConfig read(RawDocument document) {
    return new ConfigReader().config(document, false);
  }

  /** Reads what {@link ConfigWriter#stored} has written. */
  public static ReplicaSetConfig readStored(RawDocument document) {
    return new ConfigReader().config(document, true);
  }

  private ReplicaSetConfig config(RawDocument document, boolean stored) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.type() != ElementType.NULL) {
        read(ConfigField.at(OWNER, fields), fields.name(), stored);
      }
    }
    if (name == null) {
      throw ConfigField.missing(OWNER + "._id");
    }
    if (members == null) {
      throw ConfigField.missing(OWNER + ".members");
    }
    return new ReplicaSetConfig(name, version, term, members, settings, logGroup);
  }

  private void read(ConfigField field, String fieldName, boolean stored) {
    switch (fieldName) {
      case "_id" -> name = field.string();
      case "version" -> version = field.number(1, Integer.MAX_VALUE);
      case "term" -> term = field.wholeNumber();
      case "members" -> members = members(field.array(), stored);
      case "settings" -> settings = SettingsReader.read(field.document());
      case "protocolVersion" -> {
        if (field.wholeNumber() != 1) {
          throw ConfigField.bad(
              "protocolVersion field value of " + field.wholeNumber() + " is not 1");
        }
      }
      case "writeConcernMajorityJournalDefault" -> {
        if (!field.bool()) {
          throw field.unsupported("a majority always has a write in its journals");
        }
      }
      // What the flag of the node says; the command has compared them.
      case "configsvr" -> field.bool();
      case LOG_GROUP -> {
        if (!stored) {
          throw field.unknown();
        }
        logGroup = field.value().asUuid();
      }
      default -> throw field.unknown();
    }
  }

  private static List<MemberConfig> members(RawDocument array, boolean stored) {
    var members = new ArrayList<MemberConfig>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      RawDocument member = ConfigField.at(OWNER + ".members", elements).document();
      members.add(MemberReader.read(member, stored));
    }
    return members;
  }
}
