package dev.wisent.tools.format;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
 */
public record CollectionMetadata(
    String collection, String type, BsonDocument options, List<BsonDocument> indexes, String uuid) {
  public static final String COLLECTION = "collection";
  public static final String VIEW = "view";
  public static final String TIMESERIES = "timeseries";

  private static final JsonWriterSettings CANONICAL =
      JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

  public CollectionMetadata {
    indexes = List.copyOf(indexes);
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
    return json.append("collectionName", new BsonString(collection))
        .append("type", new BsonString(type))
        .toJson(CANONICAL);
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
          text(document, "uuid", ""));
    } catch (JsonParseException | org.bson.BSONException e) {
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
