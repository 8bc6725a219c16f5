package dev.wisent.database.catalog;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A collection as it is written down.
 *
 * @param ident the prefix of its records in the records keyspace
 * @param options what was given to {@code create} and {@code collMod}, as listCollections reports
 *     it
 * @param indexes the first one is on {@code _id}; empty where only the log writes
 */
public record CollectionDefinition(
    Namespace namespace, UUID uuid, int ident, RawDocument options, List<IndexDefinition> indexes) {

  public CollectionDefinition {
    indexes = List.copyOf(indexes);
  }

  public boolean isCapped() {
    RawValue capped = options.get("capped");
    return capped != null && capped.isTruthy();
  }

  /** Whether it goes at the next start: a step on the way to something else. */
  public boolean isTemporary() {
    RawValue temporary = options.get("temp");
    return temporary != null && temporary.isTruthy();
  }

  /** The same to stay. */
  public CollectionDefinition permanent() {
    return isTemporary() ? withOptions(options.without(Set.of("temp"))) : this;
  }

  /** Whether its documents are kept as they were before updates and deletions. */
  public boolean keepsPreImages() {
    return keepsPreImages(options);
  }

  /** The same of options that a collection is to have. */
  public static boolean keepsPreImages(RawDocument options) {
    RawValue images = options.get("changeStreamPreAndPostImages");
    if (images == null || !images.isDocument()) {
      return false;
    }
    RawValue enabled = images.asDocument().get("enabled");
    return enabled != null && enabled.isTruthy();
  }

  public boolean isClustered() {
    return options.get("clusteredIndex") != null;
  }

  public Optional<IndexDefinition> index(String name) {
    return indexes.stream().filter(index -> index.name().equals(name)).findFirst();
  }

  public CollectionDefinition withIndexes(List<IndexDefinition> changed) {
    return new CollectionDefinition(namespace, uuid, ident, options, changed);
  }

  /** With another index in the place of one. */
  public CollectionDefinition withIndex(IndexDefinition before, IndexDefinition after) {
    return withIndexes(
        indexes.stream().map(index -> index.equals(before) ? after : index).toList());
  }

  public CollectionDefinition withOptions(RawDocument changed) {
    return new CollectionDefinition(namespace, uuid, ident, changed, indexes);
  }

  public CollectionDefinition withNamespace(Namespace changed) {
    return new CollectionDefinition(changed, uuid, ident, options, indexes);
  }

  /** The uuid as a binary of subtype 4. */
  public void appendUuid(String name, BsonBuilder out) {
    out.appendUuid(name, uuid);
  }

  public RawDocument encode() {
    var out = new BsonBuilder();
    out.appendString("ns", namespace.full());
    appendUuid("uuid", out);
    out.appendInt32("ident", ident);
    out.appendDocument("options", options);
    out.startArray("indexes");
    for (int i = 0; i < indexes.size(); i++) {
      out.startDocument(i);
      out.appendInt32("ident", indexes.get(i).ident());
      out.appendDocument("spec", indexes.get(i).spec());
      out.end();
    }
    out.end();
    return out.toDocument();
  }

  public static CollectionDefinition decode(RawDocument stored) {
    var indexes = new ArrayList<IndexDefinition>();
    ElementCursor list = stored.get("indexes").elements();
    while (list.next()) {
      if (list.type() == ElementType.DOCUMENT) {
        RawDocument index = list.value().asDocument();
        indexes.add(
            new IndexDefinition(
                index.get("ident").asInt32(), index.get("spec").asDocument().detached()));
      }
    }
    return new CollectionDefinition(
        Namespace.parse(stored.get("ns").asString()),
        stored.get("uuid").asUuid(),
        stored.get("ident").asInt32(),
        stored.get("options").asDocument().detached(),
        indexes);
  }
}
