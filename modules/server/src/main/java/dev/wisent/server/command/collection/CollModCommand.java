package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollModRequest;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexModification;
import dev.wisent.operation.definition.ValidatorCheck;
import dev.wisent.operation.definition.ViewModRequest;
import dev.wisent.operation.index.ExpireAfterSeconds;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * {@code collMod}: the validator, the limits of a capped collection, how long documents of a
 * clustered one live, and one index. Of a view: what it is.
 */
public final class CollModCommand implements Command {
  private final Definitions definitions;

  public CollModCommand(Definitions definitions) {
    this.definitions = definitions;
  }

  /** What is asked for; an option without a value is to go. */
  private static final class Changes {
    private final Map<String, RawValue> options = new LinkedHashMap<>();
    private IndexModification index;
    private boolean dryRun;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    CollectionInfo found = definitions.find(namespace);
    if (found == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    if (found.isView()) {
      modifyView(namespace, request, context);
      return;
    }
    var changes = new Changes();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      read(reader, namespace, changes, context.operation().clock().wallMillis());
    }
    var asked = new CollModRequest(namespace, changes.options, changes.index, changes.dryRun);
    reply.appendAll(definitions.modify(context.operation(), asked).report());
  }

  private static void read(
      ArgumentReader reader, Namespace namespace, Changes changes, long nowMillis) {
    switch (reader.name()) {
      case "validator" -> {
        ValidatorCheck.check(reader.document(), namespace);
        changes.options.put("validator", reader.value());
      }
      case "validationLevel" ->
          changes.options.put("validationLevel", oneOf(reader, ValidatorCheck.LEVELS));
      case "validationAction" ->
          changes.options.put("validationAction", oneOf(reader, ValidatorCheck.ACTIONS));
      case "cappedSize" -> {
        long size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        changes.options.put("size", CreateOptions.cappedSize(size));
      }
      case "cappedMax" -> {
        changes.options.put("max", RawValue.ofInt64(reader.nonNegative()));
      }
      case "expireAfterSeconds" -> {
        changes.options.put("expireAfterSeconds", lifetime(reader, nowMillis));
      }
      case "index" ->
          changes.index = IndexModificationArgument.parse(reader.path(), reader.document());
      case PreAndPostImagesOption.NAME ->
          changes.options.put(
              PreAndPostImagesOption.NAME,
              PreAndPostImagesOption.isEnabled(reader, namespace)
                  ? RawValue.ofDocument(PreAndPostImagesOption.ENABLED)
                  : null);
      case "viewOn", "pipeline" ->
          throw new CommandException(
              ErrorCode.INVALID_OPTIONS, "option only supported on a view: " + reader.name());
      case "timeseries" ->
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, "collMod: " + reader.name() + " is not supported yet");
      case "dryRun" -> changes.dryRun = reader.bool();
      case "collectionUUID" -> reader.uuid();
      default -> reader.unknown();
    }
  }

  /** Each of the two options replaces its own half of the definition. */
  private void modifyView(Namespace view, CommandRequest request, CommandContext context) {
    Namespace on = null;
    RawDocument pipeline = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "viewOn" -> on = new Namespace(view.database(), reader.string());
        case "pipeline" -> pipeline = reader.array();
        default ->
            throw new CommandException(
                ErrorCode.INVALID_OPTIONS, "option not supported on a view: " + reader.name());
      }
    }
    definitions.modifyView(context.operation(), new ViewModRequest(view, on, pipeline));
  }

  /** Null, with which the option goes, for {@code "off"}. */
  private static RawValue lifetime(ArgumentReader reader, long nowMillis) {
    if (reader.value().isString()) {
      if (!reader.string().equals("off")) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "invalid value '" + reader.string() + "' for 'expireAfterSeconds'");
      }
      return null;
    }
    return RawValue.ofInt64(ExpireAfterSeconds.ofCollection(reader.wholeNumber(), nowMillis));
  }

  private static RawValue oneOf(ArgumentReader reader, Set<String> allowed) {
    if (!allowed.contains(reader.string())) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Enumeration value '"
              + reader.string()
              + "' for field '"
              + reader.path()
              + "' is not a valid value.");
    }
    return reader.value();
  }
}
