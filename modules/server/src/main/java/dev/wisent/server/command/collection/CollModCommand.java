package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.ValidatorCheck;
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
  private final NodeDatabase database;

  public CollModCommand(NodeDatabase database) {
    this.database = database;
  }

  /** What is asked for; an option without a value is to go. */
  private static final class Changes {
    private final Map<String, RawValue> options = new LinkedHashMap<>();
    private IndexModification index;
    private boolean needsCapped;
    private boolean needsClustered;
    private boolean dryRun;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ViewDefinition view = database.views(namespace).find(namespace);
    if (view != null) {
      modifyView(view, request, context);
      return;
    }
    Collection collection = database.require(namespace);
    var changes = new Changes();
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      read(reader, namespace, changes, context.operation().clock().wallMillis());
    }
    if (changes.dryRun) {
      checkUnique(collection, changes, context);
      return;
    }
    var report = new BsonBuilder();
    database
        .changes(namespace)
        .modify(collection, definition -> apply(definition, changes, report), context.operation());
    if (changes.index != null) {
      makeUnique(collection, changes.index, context, report);
    }
    reply.appendAll(report.toDocument());
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
        changes.needsCapped = true;
        long size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        changes.options.put("size", CreateOptions.cappedSize(size));
      }
      case "cappedMax" -> {
        changes.needsCapped = true;
        changes.options.put("max", RawValue.ofInt64(reader.nonNegative()));
      }
      case "expireAfterSeconds" -> {
        changes.needsClustered = true;
        changes.options.put("expireAfterSeconds", lifetime(reader, nowMillis));
      }
      case "index" -> changes.index = IndexModification.parse(reader.path(), reader.document());
      case "changeStreamPreAndPostImages" -> changes.options.put(reader.name(), reader.value());
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
  private void modifyView(ViewDefinition view, CommandRequest request, CommandContext context) {
    Namespace on = null;
    RawDocument pipeline = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "viewOn" -> on = new Namespace(view.namespace().database(), reader.string());
        case "pipeline" -> pipeline = reader.array();
        default ->
            throw new CommandException(
                ErrorCode.INVALID_OPTIONS, "option not supported on a view: " + reader.name());
      }
    }
    Namespace changedOn = on;
    RawDocument changedPipeline = pipeline;
    database
        .viewChanges(view.namespace())
        .modify(
            view.namespace(),
            current ->
                current.with(
                    changedOn == null ? current.on() : changedOn,
                    changedPipeline == null ? current.pipeline() : changedPipeline),
            context.operation());
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

  private static CollectionDefinition apply(
      CollectionDefinition definition, Changes changes, BsonBuilder report) {
    if (changes.needsCapped && !definition.isCapped()) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "Collection must be capped.");
    }
    if (changes.needsClustered && !definition.isClustered()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "'expireAfterSeconds' is only supported on time-series collections or when the"
              + " 'clusteredIndex' option is specified");
    }
    CollectionDefinition changed =
        definition.withOptions(merge(definition.options(), changes.options));
    if (changes.index == null) {
      return changed;
    }
    IndexDefinition index = changes.index.find(changed);
    if (changes.index.makesUnique(index)) {
      // Only checked here: the entries have to be written anew.
      changes.index.apply(changed, index, new BsonBuilder());
      return changed;
    }
    RawDocument spec = changes.index.apply(changed, index, report);
    return changed.withIndex(index, new IndexDefinition(index.ident(), spec));
  }

  private void makeUnique(
      Collection collection, IndexModification change, CommandContext context, BsonBuilder report) {
    database
        .changes(collection.namespace())
        .makeUnique(
            collection,
            definition -> {
              IndexDefinition index = change.find(definition);
              return change.makesUnique(index)
                  ? new IndexDefinition(index.ident(), change.apply(definition, index, report))
                  : null;
            },
            context.operation());
  }

  /** Whether an index could be made unique: all that can be tried out without being done. */
  private void checkUnique(Collection collection, Changes changes, CommandContext context) {
    if (changes.index == null || !changes.index.isUniqueOnly() || !changes.options.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "dryRun mode is not allowed with this collMod options; only converting an index to"
              + " unique can be tried out");
    }
    IndexDefinition index = changes.index.find(collection.definition());
    if (changes.index.makesUnique(index)) {
      database
          .changes(collection.namespace())
          .checkUnique(collection, index.name(), context.operation());
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
    changed.forEach(
        (name, value) -> {
          if (value != null) {
            merged.append(name, value);
          }
        });
    return merged.toDocument();
  }
}
