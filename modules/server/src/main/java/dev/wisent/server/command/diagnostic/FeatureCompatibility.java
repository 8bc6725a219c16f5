package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/**
 * {@code setFeatureCompatibilityVersion}. There is one version: what is stored is not in the format
 * of any MongoDB, so there is nothing that an older one could read.
 */
public final class FeatureCompatibility implements Command {
  /** What MongoDB 8.0 can be set to. */
  private static final List<String> VERSIONS_OF_MONGODB =
      List.of("7.0", "7.3", ServerVersion.FEATURE_COMPATIBILITY);

  /** What {@code admin.system.version} has. */
  public static RawDocument document() {
    return new BsonBuilder()
        .appendString("_id", "featureCompatibilityVersion")
        .appendString("version", ServerVersion.FEATURE_COMPATIBILITY)
        .toDocument();
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean confirmed = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "confirm" -> confirmed = reader.bool();
        case "downgradeOnDiskChanges", "fromConfigServer" -> reader.bool();
        default -> reader.unknown();
      }
    }
    String version = version(request.argument());
    if (!confirmed) {
      throw new CommandException(
          ErrorCode.FEATURE_COMPATIBILITY_NOT_CONFIRMED,
          "Once you have upgraded to "
              + ServerVersion.FEATURE_COMPATIBILITY
              + ", you will not be able to downgrade FCV and binary version without support"
              + " assistance. Please re-run this command with 'confirm: true' to acknowledge this"
              + " and continue with the FCV upgrade.");
    }
    if (!version.equals(ServerVersion.FEATURE_COMPATIBILITY)) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED,
          "the feature compatibility version is always "
              + ServerVersion.FEATURE_COMPATIBILITY
              + ": data is not stored in the format of a MongoDB");
    }
  }

  private static String version(RawValue argument) {
    if (argument.type() != ElementType.STRING) {
      throw ArgumentTypes.wrongType(
          "setFeatureCompatibilityVersion.setFeatureCompatibilityVersion",
          argument.type(),
          "string");
    }
    if (!VERSIONS_OF_MONGODB.contains(argument.asString())) {
      throw new CommandException(
          ErrorCode.FEATURE_COMPATIBILITY_VERSION_INVALID,
          "Invalid feature compatibility version value '"
              + argument.asString()
              + "'; expected '7.0' or '7.3' or '8.0'");
    }
    return argument.asString();
  }
}
