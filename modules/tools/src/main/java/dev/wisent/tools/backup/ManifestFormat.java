package dev.wisent.tools.backup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BSONException;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonParseException;
import org.bson.json.JsonWriterSettings;

/** Manifests as JSON. The last field is a check of the others. */
final class ManifestFormat {
  private static final int FORMAT = 1;
  private static final String CHECK = "check";
  private static final JsonWriterSettings COMPACT =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
  private static final JsonWriterSettings INDENTED =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).indent(true).build();

  /** A manifest that is not what this tool wrote, or that a newer one did. */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
      super(message);
    }
  }

  private ManifestFormat() {}

  static String write(BackupManifest manifest) {
    var document = new BsonDocument("format", new BsonInt32(FORMAT));
    document.append("id", new BsonString(manifest.id()));
    document.append("time", new BsonString(manifest.time()));
    document.append("parent", new BsonString(manifest.parent()));
    document.append("tool", new BsonString(manifest.tool()));
    document.append("fetchedBytes", new BsonInt64(manifest.fetchedBytes()));
    var parts = new BsonArray();
    for (BackupPart part : manifest.parts()) {
      var files = new BsonArray();
      for (StoredFile file : part.files()) {
        files.add(
            new BsonDocument("name", new BsonString(file.name()))
                .append("size", new BsonInt64(file.bytes()))
                .append("sha256", new BsonString(file.sha256()))
                .append("stored", new BsonString(file.stored())));
      }
      parts.add(
          new BsonDocument("name", new BsonString(part.name()))
              .append("origin", part.origin())
              .append("files", files));
    }
    document.append("parts", parts);
    document.append(CHECK, new BsonString(check(document)));
    return document.toJson(INDENTED) + "\n";
  }

  static BackupManifest read(String text) throws UnreadableException {
    try {
      BsonDocument document = BsonDocument.parse(text);
      int format = document.getNumber("format").intValue();
      if (format > FORMAT) {
        throw new UnreadableException("has format " + format + "; a newer version wrote it");
      }
      BsonValue check = document.remove(CHECK);
      if (check == null || !check.asString().getValue().equals(check(document))) {
        throw new UnreadableException("is damaged, or was changed: its check is wrong");
      }
      List<BackupPart> parts = new ArrayList<>();
      for (BsonValue part : document.getArray("parts")) {
        parts.add(part(part.asDocument()));
      }
      return new BackupManifest(
          text(document, "id"),
          text(document, "time"),
          text(document, "parent"),
          text(document, "tool"),
          document.getNumber("fetchedBytes").longValue(),
          parts);
    } catch (BSONException | JsonParseException | IllegalArgumentException e) {
      throw new UnreadableException("is damaged: " + e.getMessage());
    }
  }

  private static BackupPart part(BsonDocument part) {
    List<StoredFile> files = new ArrayList<>();
    for (BsonValue each : part.getArray("files")) {
      BsonDocument file = each.asDocument();
      files.add(
          new StoredFile(
              text(file, "name"),
              file.getNumber("size").longValue(),
              text(file, "sha256"),
              text(file, "stored")));
    }
    return new BackupPart(text(part, "name"), part.getDocument("origin"), files);
  }

  private static String text(BsonDocument document, String field) {
    return document.getString(field).getValue();
  }

  private static String check(BsonDocument document) {
    return Digests.of(document.toJson(COMPACT).getBytes(StandardCharsets.UTF_8));
  }
}
