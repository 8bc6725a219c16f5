package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.definition.CollModRequest;
import java.util.Map;

/** Changes the options of a collection and one of its indexes. */
record CollectionModifier(
    CatalogChanges changes, Collection collection, ShardKeyIndexRules shardKeyRules) {
  /** Returns what was and what is of the index. */
  RawDocument modify(CollModRequest request, OperationContext operation) {
    var report = new BsonBuilder();
    IndexModifier index = request.index() == null ? null : new IndexModifier(request.index());
    if (request.dryRun()) {
      checkUnique(request, index, operation);
      return report.toDocument();
    }
    changes.modify(collection, definition -> apply(definition, request, index, report), operation);
    if (index != null) {
      makeUnique(index, report, operation);
    }
    return report.toDocument();
  }

  private CollectionDefinition apply(
      CollectionDefinition definition,
      CollModRequest request,
      IndexModifier modifier,
      BsonBuilder report) {
    Map<String, RawValue> options = request.options();
    if ((options.containsKey("size") || options.containsKey("max")) && !definition.isCapped()) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "Collection must be capped.");
    }
    if (options.containsKey("expireAfterSeconds") && !definition.isClustered()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "'expireAfterSeconds' is only supported on time-series collections or when the"
              + " 'clusteredIndex' option is specified");
    }
    CollectionDefinition changed = definition.withOptions(merge(definition.options(), options));
    if (modifier == null) {
      return changed;
    }
    IndexDefinition index = modifier.find(changed);
    if (modifier.hides(index)) {
      shardKeyRules.checkHide(changed, index);
    }
    if (modifier.makesUnique(index)) {
      shardKeyRules.checkUnique(index.key());
      // Only checked here: the entries have to be written anew.
      modifier.apply(changed, index, new BsonBuilder());
      return changed;
    }
    RawDocument spec = modifier.apply(changed, index, report);
    return changed.withIndex(index, new IndexDefinition(index.ident(), spec));
  }

  private void makeUnique(IndexModifier modifier, BsonBuilder report, OperationContext operation) {
    changes.makeUnique(
        collection,
        definition -> {
          IndexDefinition index = modifier.find(definition);
          return modifier.makesUnique(index)
              ? new IndexDefinition(index.ident(), modifier.apply(definition, index, report))
              : null;
        },
        operation);
  }

  /** Whether an index could be made unique: all that can be tried out without being done. */
  private void checkUnique(
      CollModRequest request, IndexModifier modifier, OperationContext operation) {
    if (modifier == null || !request.index().isUniqueOnly() || !request.options().isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "dryRun mode is not allowed with this collMod options; only converting an index to"
              + " unique can be tried out");
    }
    IndexDefinition index = modifier.find(collection.definition());
    if (modifier.makesUnique(index)) {
      changes.checkUnique(collection, index.name(), operation);
    }
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
