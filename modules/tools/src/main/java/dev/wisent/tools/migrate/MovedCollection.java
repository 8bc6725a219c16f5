package dev.wisent.tools.migrate;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/**
 * A collection of the source and its copy. Both are known by their UUIDs, which stay when they are
 * renamed. Options and indexes are those of the source to which the copy was last brought, since
 * servers show the same definition differently. Immutable.
 *
 * @param target null until the copy is created
 * @param namespace under which the copy is created
 * @param adopted whether the copy was there before the migration, and empty: it may be sharded
 * @param options as canonical Extended JSON
 * @param copied whether all documents of the beginning are there
 * @param last up to which {@code _id} they are; null for none
 * @param indexes those that the migration has created, or begun to, as canonical Extended JSON
 */
record MovedCollection(
    BsonBinary source,
    BsonBinary target,
    String namespace,
    boolean adopted,
    String options,
    boolean copied,
    BsonValue last,
    List<String> indexes) {
  private static final JsonWriterSettings CANONICAL =
      JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

  MovedCollection {
    indexes = List.copyOf(indexes);
  }

  static MovedCollection begun(CollectionInfo info) {
    return new MovedCollection(
        info.uuid(), null, info.namespace(), false, text(info.creation()), false, null, List.of());
  }

  static String text(BsonDocument document) {
    return document.toJson(CANONICAL);
  }

  static MovedCollection of(BsonDocument document) {
    List<String> indexes = new ArrayList<>();
    document
        .getArray("indexes", new BsonArray())
        .forEach(each -> indexes.add(each.asString().getValue()));
    return new MovedCollection(
        document.getBinary("_id"),
        document.containsKey("target") ? document.getBinary("target") : null,
        document.getString("ns").getValue(),
        document.getBoolean("adopted", BsonBoolean.FALSE).getValue(),
        document.getString("options").getValue(),
        document.getBoolean("copied", BsonBoolean.FALSE).getValue(),
        document.get("last"),
        indexes);
  }

  MovedCollection createdAs(BsonBinary uuid) {
    return new MovedCollection(source, uuid, namespace, false, options, copied, last, indexes);
  }

  MovedCollection adoptedAs(BsonBinary uuid) {
    return new MovedCollection(source, uuid, namespace, true, options, copied, last, indexes);
  }

  /** All of the copy's documents are about to be removed. */
  MovedCollection notCopied() {
    return new MovedCollection(source, target, namespace, adopted, options, false, null, indexes);
  }

  MovedCollection withOptions(BsonDocument changed) {
    return new MovedCollection(
        source, target, namespace, adopted, text(changed), copied, last, indexes);
  }

  MovedCollection withIndexes(List<String> specifications) {
    return new MovedCollection(
        source, target, namespace, adopted, options, copied, last, specifications);
  }

  MovedCollection copiedTo(BsonValue id) {
    return new MovedCollection(source, target, namespace, adopted, options, copied, id, indexes);
  }

  MovedCollection asCopied() {
    return new MovedCollection(source, target, namespace, adopted, options, true, null, indexes);
  }

  BsonDocument toDocument() {
    var specifications = new BsonArray();
    indexes.forEach(each -> specifications.add(new BsonString(each)));
    var document =
        new BsonDocument("_id", source)
            .append("ns", new BsonString(namespace))
            .append("adopted", BsonBoolean.valueOf(adopted))
            .append("options", new BsonString(options));
    if (target != null) {
      document.append("target", target);
    }
    if (last != null) {
      document.append("last", last);
    }
    return document.append("copied", BsonBoolean.valueOf(copied)).append("indexes", specifications);
  }
}
