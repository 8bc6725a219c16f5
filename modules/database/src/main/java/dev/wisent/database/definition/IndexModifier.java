package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.operation.definition.IndexModification;
import dev.wisent.operation.index.IndexKeyCheck;
import java.util.LinkedHashMap;
import java.util.Map;

/** Finds the index that a modification is about, and applies it. */
record IndexModifier(IndexModification change) {
  IndexDefinition find(CollectionDefinition collection) {
    if (change.name() == null) {
      return notOnId(
          IndexByKey.find(
              collection,
              change.keyPattern(),
              "cannot find index for ns " + collection.namespace() + " with key "));
    }
    return notOnId(
        collection
            .index(change.name())
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.INDEX_NOT_FOUND,
                        "cannot find index "
                            + change.name()
                            + " for ns "
                            + collection.namespace())));
  }

  private IndexDefinition notOnId(IndexDefinition index) {
    if (index.isId()) {
      throw change.hidden() != null
          ? new CommandException(ErrorCode.BAD_VALUE, "can't hide _id index")
          : new CommandException(
              ErrorCode.INVALID_OPTIONS, "the _id index can be changed by no collMod");
    }
    return index;
  }

  boolean hides(IndexDefinition index) {
    return change.hidden() != null && change.hidden() && !index.isHidden();
  }

  /** Whether entries have to be written anew, as those of unique indexes have another form. */
  boolean makesUnique(IndexDefinition index) {
    return change.unique() && !index.isUnique();
  }

  /**
   * The specification of the index after the change.
   *
   * @param reply gets what was and what is
   */
  RawDocument apply(CollectionDefinition collection, IndexDefinition index, BsonBuilder reply) {
    Map<String, RawValue> spec = new LinkedHashMap<>();
    ElementCursor fields = index.spec().elements();
    while (fields.next()) {
      spec.put(fields.name(), fields.value());
    }
    if (change.expireAfterSeconds() != null) {
      changeLifetime(collection, index, spec, reply);
    }
    if (change.hidden() != null) {
      changeFlag("hidden", index.isHidden(), change.hidden(), spec, reply);
    }
    if (change.prepareUnique() != null) {
      checkCanBeUnique(index);
      changeFlag("prepareUnique", index.isPrepareUnique(), change.prepareUnique(), spec, reply);
    }
    if (makesUnique(index)) {
      checkPrepared(index);
      spec.remove("prepareUnique");
      spec.put("unique", RawValue.TRUE);
      reply.appendBoolean("unique_new", true);
    }
    var changed = new BsonBuilder();
    spec.forEach(changed::append);
    return changed.toDocument();
  }

  private void changeLifetime(
      CollectionDefinition collection,
      IndexDefinition index,
      Map<String, RawValue> spec,
      BsonBuilder reply) {
    if (collection.isCapped()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "TTL indexes are not supported for capped collections.");
    }
    if (index.key().fieldCount() != 1 || IndexKeyCheck.kind(index.key()).equals("wildcard")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "TTL indexes are single-field indexes, compound indexes do not support TTL");
    }
    RawValue before = index.expireAfterSeconds();
    if (before != null && before.toLong() == change.expireAfterSeconds()) {
      return;
    }
    if (before != null) {
      reply.appendInt64("expireAfterSeconds_old", before.toLong());
    }
    reply.appendInt64("expireAfterSeconds_new", change.expireAfterSeconds());
    spec.put("expireAfterSeconds", RawValue.ofInt32(change.expireAfterSeconds()));
  }

  private static void changeFlag(
      String flag, boolean before, boolean after, Map<String, RawValue> spec, BsonBuilder reply) {
    if (before == after) {
      return;
    }
    reply.appendBoolean(flag + "_old", before);
    reply.appendBoolean(flag + "_new", after);
    if (after) {
      spec.put(flag, RawValue.TRUE);
    } else {
      spec.remove(flag);
    }
  }

  private static void checkCanBeUnique(IndexDefinition index) {
    if (!IndexKeyCheck.kind(index.key()).isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Index type '"
              + IndexKeyCheck.kind(index.key())
              + "' does not support the 'prepareUnique' option");
    }
    if (index.isUnique()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "cannot set 'prepareUnique' on a unique index");
    }
  }

  private static void checkPrepared(IndexDefinition index) {
    if (!index.isPrepareUnique()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Cannot make index unique with prepareUnique=false. Run collMod to set it first.");
    }
  }
}
