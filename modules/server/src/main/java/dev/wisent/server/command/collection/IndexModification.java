package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.server.command.ArgumentReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code index} argument of collMod: which index, and what is to change about it. */
final class IndexModification {
  private String name;
  private RawDocument keyPattern;
  private Integer expireAfterSeconds;
  private Boolean hidden;
  private Boolean prepareUnique;
  private boolean unique;

  private IndexModification() {}

  static IndexModification parse(String path, RawDocument argument) {
    var change = new IndexModification();
    ArgumentReader fields = ArgumentReader.of(path, argument);
    while (fields.next()) {
      change.read(fields);
    }
    change.check();
    return change;
  }

  private void read(ArgumentReader fields) {
    switch (fields.name()) {
      case "name" -> name = fields.string();
      case "keyPattern" -> keyPattern = fields.document();
      case "expireAfterSeconds" -> expireAfterSeconds = seconds(fields);
      case "hidden" -> hidden = fields.bool();
      case "prepareUnique" -> prepareUnique = fields.bool();
      case "unique" -> {
        unique = fields.bool();
        if (!unique) {
          throw new CommandException(ErrorCode.BAD_VALUE, "cannot make indexes non-unique");
        }
      }
      default -> fields.unknown();
    }
  }

  private static int seconds(ArgumentReader fields) {
    fields.wholeNumber();
    try {
      return ExpireAfterSeconds.ofIndex(fields.value());
    } catch (CommandException e) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, e.getMessage());
    }
  }

  private void check() {
    if (name == null && keyPattern == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "must specify either index name or key pattern");
    }
    if (name != null && keyPattern != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Cannot specify both key pattern and name.");
    }
    if (expireAfterSeconds == null && hidden == null && prepareUnique == null && !unique) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "no expireAfterSeconds, hidden, unique, or prepareUnique field");
    }
  }

  /** Whether this is about nothing but making the index unique, which can be tried out first. */
  boolean isUniqueOnly() {
    return unique && expireAfterSeconds == null && hidden == null && prepareUnique == null;
  }

  IndexDefinition find(CollectionDefinition collection) {
    if (name == null) {
      return notOnId(
          IndexChoice.byKey(
              collection,
              keyPattern,
              "cannot find index for ns " + collection.namespace() + " with key "));
    }
    return notOnId(
        collection
            .index(name)
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.INDEX_NOT_FOUND,
                        "cannot find index " + name + " for ns " + collection.namespace())));
  }

  private IndexDefinition notOnId(IndexDefinition index) {
    if (index.isId()) {
      throw hidden != null
          ? new CommandException(ErrorCode.BAD_VALUE, "can't hide _id index")
          : new CommandException(
              ErrorCode.INVALID_OPTIONS, "the _id index can be changed by no collMod");
    }
    return index;
  }

  /** Whether entries have to be written anew, as those of unique indexes have another form. */
  boolean makesUnique(IndexDefinition index) {
    return unique && !index.isUnique();
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
    if (expireAfterSeconds != null) {
      changeLifetime(collection, index, spec, reply);
    }
    if (hidden != null) {
      changeFlag("hidden", index.isHidden(), hidden, spec, reply);
    }
    if (prepareUnique != null) {
      checkCanBeUnique(index);
      changeFlag("prepareUnique", index.isPrepareUnique(), prepareUnique, spec, reply);
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
    if (before != null && before.toLong() == expireAfterSeconds) {
      return;
    }
    if (before != null) {
      reply.appendInt64("expireAfterSeconds_old", before.toLong());
    }
    reply.appendInt64("expireAfterSeconds_new", expireAfterSeconds);
    spec.put("expireAfterSeconds", RawValue.ofInt32(expireAfterSeconds));
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

  private void checkPrepared(IndexDefinition index) {
    if (!index.isPrepareUnique()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Cannot make index unique with prepareUnique=false. Run collMod to set it first.");
    }
  }
}
