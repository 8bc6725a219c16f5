package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.Namespace;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.ValidatorCheck;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** {@code collMod}: the validator and the limits of a capped collection. */
public final class CollModCommand implements Command {
  private static final Set<String> LEVELS = Set.of("off", "strict", "moderate");
  private static final Set<String> ACTIONS = Set.of("error", "warn");

  private final LocalDatabase database;

  public CollModCommand(LocalDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    Collection collection = database.catalog().find(namespace);
    if (collection == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    Map<String, RawValue> changed = new LinkedHashMap<>();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      read(reader, collection, changed);
    }
    if (!changed.isEmpty()) {
      database
          .changes()
          .changeOptions(
              collection, merge(collection.definition().options(), changed), context.operation());
    }
  }

  private static void read(
      ArgumentReader reader, Collection collection, Map<String, RawValue> changed) {
    switch (reader.name()) {
      case "validator" -> {
        ValidatorCheck.check(reader.document());
        changed.put("validator", reader.value());
      }
      case "validationLevel" -> changed.put("validationLevel", oneOf(reader, LEVELS));
      case "validationAction" -> changed.put("validationAction", oneOf(reader, ACTIONS));
      case "cappedSize" -> {
        requireCapped(collection);
        long size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        changed.put("size", CreateOptions.cappedSize(size));
      }
      case "cappedMax" -> {
        requireCapped(collection);
        changed.put("max", RawValue.ofInt64(reader.nonNegative()));
      }
      case "changeStreamPreAndPostImages" -> changed.put(reader.name(), reader.value());
      case "index", "viewOn", "pipeline", "expireAfterSeconds", "timeseries" ->
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, "collMod: " + reader.name() + " is not supported yet");
      case "dryRun" -> reader.refuseIfSet();
      default -> reader.unknown();
    }
  }

  private static void requireCapped(Collection collection) {
    if (collection.capped() == null) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "Collection must be capped.");
    }
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

  private static RawDocument merge(RawDocument options, Map<String, RawValue> changed) {
    var merged = new BsonBuilder();
    ElementCursor fields = options.elements();
    while (fields.next()) {
      if (!changed.containsKey(fields.name())) {
        merged.appendElement(fields);
      }
    }
    changed.forEach(merged::append);
    return merged.toDocument();
  }
}
