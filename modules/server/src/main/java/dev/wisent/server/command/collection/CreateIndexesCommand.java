package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.Namespace;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.ArrayList;
import java.util.List;

/** {@code createIndexes}. */
public final class CreateIndexesCommand implements Command {
  private final LocalDatabase database;

  public CreateIndexesCommand(LocalDatabase database) {
    this.database = database;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    List<RawDocument> wanted = parse(request);
    boolean isNew = database.catalog().find(namespace) == null;
    Collection collection = database.changes().findOrCreate(namespace, context.operation());
    int before = collection.indexes().size();
    List<RawDocument> missing = missing(collection, wanted);
    if (!missing.isEmpty()) {
      database.changes().addIndexes(collection, missing, context.operation());
    }
    reply.appendInt32("numIndexesBefore", before);
    reply.appendInt32("numIndexesAfter", collection.indexes().size());
    if (isNew) {
      reply.appendBoolean("createdCollectionAutomatically", true);
    }
    if (missing.isEmpty()) {
      reply.appendString("note", "all indexes already exist");
    }
  }

  private static List<RawDocument> parse(CommandRequest request) {
    List<RawDocument> specs = null;
    boolean ignoreUnknown = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "indexes" -> specs = reader.documents();
        case "commitQuorum" ->
            throw new CommandException(
                ErrorCode.BAD_VALUE, "Standalones cannot specify commitQuorum");
        case "ignoreUnknownIndexOptions" -> ignoreUnknown = reader.bool();
        default -> reader.unknown();
      }
    }
    if (specs == null) {
      throw ArgumentTypes.missing("createIndexes.indexes");
    }
    if (specs.isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Must specify at least one index to create");
    }
    boolean lenient = ignoreUnknown;
    return specs.stream().map(spec -> IndexSpec.parse(spec, lenient)).toList();
  }

  private static List<RawDocument> missing(Collection collection, List<RawDocument> wanted) {
    var known = new ArrayList<RawDocument>();
    for (Index index : collection.indexes()) {
      known.add(index.definition().spec());
    }
    var missing = new ArrayList<RawDocument>();
    for (RawDocument spec : wanted) {
      if (known.stream().noneMatch(existing -> isSame(existing, spec))) {
        missing.add(spec);
        known.add(spec);
      }
    }
    if (known.size() > Limits.INDEXES_PER_COLLECTION_MAX) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "add index fails, too many indexes for "
              + collection.namespace()
              + " key:"
              + ValueText.of(missing.getLast().get("key").asDocument()));
    }
    return missing;
  }

  /**
   * Whether the index is there already; an index that is in its way is an error. As in MongoDB
   * since 5.0, indexes of one key may differ in being unique or sparse.
   */
  private static boolean isSame(RawDocument existing, RawDocument wanted) {
    String name = existing.get("name").asString();
    boolean sameName = name.equals(wanted.get("name").asString());
    boolean sameKey = ValueOrder.compare(existing.get("key"), wanted.get("key")) == 0;
    if (sameKey && (name.equals("_id_") || sameOptions(existing, wanted))) {
      if (!sameName && !name.equals("_id_")) {
        throw new CommandException(
            ErrorCode.INDEX_OPTIONS_CONFLICT,
            "Index already exists with a different name: " + name);
      }
      return true;
    }
    if (sameName) {
      throw new CommandException(
          ErrorCode.INDEX_KEY_SPECS_CONFLICT,
          "An existing index has the same name as the requested index. When index names are not"
              + " specified, they are auto generated and can cause conflicts. Please refer to our"
              + " documentation. Requested index: "
              + ValueText.of(wanted)
              + ", existing index: "
              + ValueText.of(existing));
    }
    return false;
  }

  private static boolean sameOptions(RawDocument a, RawDocument b) {
    return isSet(a, "unique") == isSet(b, "unique") && isSet(a, "sparse") == isSet(b, "sparse");
  }

  private static boolean isSet(RawDocument spec, String option) {
    RawValue value = spec.get(option);
    return value != null && value.isTruthy();
  }
}
