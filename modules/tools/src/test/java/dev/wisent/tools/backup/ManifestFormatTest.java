package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;

/** A manifest becomes paths: those of others than this tool are refused. */
class ManifestFormatTest {
  private static final String SHA256 = "0".repeat(64);

  private static String written() {
    return ManifestFormat.write(
        Samples.manifest("20260101-000000", new StoredFile("data/CURRENT", 7, SHA256, SHA256)));
  }

  /** With a field of a file that is another one, and the check that belongs to that. */
  private static String changed(String field, BsonValue value) {
    BsonDocument manifest = BsonDocument.parse(written());
    manifest.remove("check");
    BsonDocument part = manifest.getArray("parts").get(0).asDocument();
    part.getArray("files").get(0).asDocument().put(field, value);
    var compact = JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
    String check = Digests.of(manifest.toJson(compact).getBytes(StandardCharsets.UTF_8));
    return manifest.append("check", new BsonString(check)).toJson(compact);
  }

  private static void refuses(String field, BsonValue value) {
    assertThatThrownBy(() -> ManifestFormat.read(changed(field, value)))
        .as("%s: %s", field, value)
        .isInstanceOf(ManifestFormat.UnreadableException.class)
        .hasMessageContaining("impossible");
  }

  @Test
  void whatIsWrittenIsRead() throws ManifestFormat.UnreadableException {
    BackupManifest read = ManifestFormat.read(written());
    assertThat(read.files().toList())
        .containsExactly(new StoredFile("data/CURRENT", 7, SHA256, SHA256));
    assertThat(ManifestFormat.read(changed("size", new BsonInt64(8))).bytes()).isEqualTo(8);
  }

  @Test
  void namesThatLeadOutAreRefused() {
    for (String name :
        new String[] {
          "", "..", "../x", "data/../../x", "/x", "data//x", "./x", "data/.", "a\\..\\x", "c:x"
        }) {
      refuses("name", new BsonString(name));
    }
    for (String stored :
        new String[] {"", "../" + SHA256, "..", SHA256 + ".sst", "x".repeat(40) + ".sst"}) {
      refuses("stored", new BsonString(stored));
    }
  }

  @Test
  void impossibleSizesAndDigestsAreRefused() {
    refuses("size", new BsonInt64(-1));
    refuses("sha256", new BsonString("0".repeat(63)));
    refuses("sha256", new BsonString("G".repeat(64)));
  }
}
