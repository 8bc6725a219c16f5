package dev.wisent.tools.format;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonParseException;
import org.bson.json.JsonWriterSettings;

/**
 * What a dump knows of a collection beside its documents.
 *
 * @param type {@code collection}, {@code view} or {@code timeseries}
 * @param options as {@code create} takes them
 * @param indexes as {@code listIndexes} gives them
 * @param uuid as hexadecimal digits; empty if there is none
 * @param data what the file beside it must have in it, if that is known
 */
public record CollectionMetadata(
    String collection,
    String type,
    BsonDocument options,
    List<BsonDocument> indexes,
    String uuid,
    Optional<DataCheck> data) {
  public static final String COLLECTION = "collection";
  public static final String VIEW = "view";
  public static final String TIMESERIES = "timeseries";

  /** A field that other tools skip. */
  private static final String DATA = "data";

  private static final JsonWriterSettings CANONICAL =
      JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

  public CollectionMetadata {
    indexes = List.copyOf(indexes);
  }

  public CollectionMetadata(
      String collection,
      String type,
      BsonDocument options,
      List<BsonDocument> indexes,
      String uuid) {
    this(collection, type, options, indexes, uuid, Optional.empty());
  }

  /** With what its documents are. */
  public CollectionMetadata with(DataCheck check) {
    return new CollectionMetadata(collection, type, options, indexes, uuid, Optional.of(check));
  }

  public boolean isView() {
    return type.equals(VIEW);
  }

  /** Canonical Extended JSON. */
  public String toJson() {
    var all = new BsonArray();
    all.addAll(indexes);
    var json = new BsonDocument("options", options).append("indexes", all);
    if (!uuid.isEmpty()) {
      json.append("uuid", new BsonString(uuid));
    }
    json.append("collectionName", new BsonString(collection)).append("type", new BsonString(type));
    data.ifPresent(check -> json.append(DATA, check.toDocument()));
    return json.toJson(CANONICAL);
  }

  /**
   * @param name for what older versions did not write
   */
  public static CollectionMetadata parse(String json, String name) throws DamagedDumpException {
    try {
      BsonDocument document = BsonDocument.parse(json);
      BsonDocument options = document.getDocument("options", new BsonDocument());
      List<BsonDocument> indexes = new ArrayList<>();
      BsonValue listed = document.get("indexes");
      if (listed != null && listed.isArray()) {
        listed.asArray().forEach(index -> indexes.add(index.asDocument()));
      }
      String type =
          options.containsKey("viewOn")
              ? VIEW
              : options.containsKey(TIMESERIES) ? TIMESERIES : COLLECTION;
      return new CollectionMetadata(
          text(document, "collectionName", name),
          text(document, "type", type),
          options,
          indexes,
          text(document, "uuid", ""),
          DataCheck.of(document.get(DATA)));
    } catch (JsonParseException | org.bson.BSONException | IllegalArgumentException e) {
      throw new DamagedDumpException("the metadata of " + name + " is damaged: " + e.getMessage());
    }
  }

  private static String text(BsonDocument document, String field, String otherwise) {
    BsonValue value = document.get(field);
    return value != null && value.isString() && !value.asString().getValue().isEmpty()
        ? value.asString().getValue()
        : otherwise;
  }

  /** As {@code listCollections} gives it, in hexadecimal digits. */
  public static String uuidOf(BsonValue binary) {
    return binary instanceof BsonBinary bytes ? HexFormat.of().formatHex(bytes.getData()) : "";
  }
}
