package dev.wisent.tools.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;

/** The bytes as mongodump writes them, and as this version does. */
class ArchiveFormatTest {
  private static final byte[] END = {-1, -1, -1, -1};

  private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
  private final List<String> read = new ArrayList<>();

  private static byte[] bytes(BsonDocument document) {
    ByteBuf buffer = new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer();
    return Arrays.copyOfRange(buffer.array(), buffer.position(), buffer.limit());
  }

  private static byte[] document(int id) {
    return bytes(new BsonDocument("_id", new BsonInt32(id)));
  }

  private void put(byte[]... parts) throws IOException {
    for (byte[] part : parts) {
      archive.write(part);
    }
  }

  private static byte[] header(String collection, boolean end, long crc) {
    return bytes(
        new BsonDocument("db", new BsonString("d"))
            .append("collection", new BsonString(collection))
            .append("EOF", BsonBoolean.valueOf(end))
            .append("CRC", new BsonInt64(crc)));
  }

  private static long crc(byte[]... documents) {
    var crc = new Crc64();
    for (byte[] document : documents) {
      crc.update(document, 0, document.length);
    }
    return crc.value();
  }

  /** Two collections, whose blocks lie between each other, without checks of the blocks. */
  private void putArchiveOfMongodump(long checkOfA) throws IOException {
    put(new byte[] {0x6d, (byte) 0xe2, (byte) 0x99, (byte) 0x81});
    put(
        bytes(
            BsonDocument.parse(
                "{concurrent_collections: 4, version: '0.1', server_version: '8.0.4', tool_version:"
                    + " '100.9.4'}")));
    for (String name : List.of("a", "b")) {
      put(
          bytes(
              BsonDocument.parse(
                  "{db: 'd', collection: '%s', metadata: '{}', size: 0, type: 'collection'}"
                      .formatted(name))));
    }
    put(END);
    put(header("a", false, 0), document(1), document(2), END);
    put(header("b", false, 0), document(7), END);
    put(header("a", false, 0), document(3), END);
    put(header("b", true, crc(document(7))), END);
    put(header("a", true, checkOfA), END);
  }

  private ArchiveReader reader() throws IOException {
    return new ArchiveReader(new ByteArrayInputStream(archive.toByteArray()));
  }

  private void readAll() throws IOException {
    reader()
        .read(
            new ArchiveReader.Consumer() {
              @Override
              public void documents(
                  String database, String collection, List<RawBsonDocument> documents) {
                documents.forEach(each -> read.add(collection + each.getInt32("_id").getValue()));
              }

              @Override
              public void end(String database, String collection) {
                read.add("end of " + collection);
              }
            });
  }

  @Test
  void theCheckIsThatOfXz() {
    byte[] text = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(Crc64.of(text, 0, text.length)).isEqualTo(0x995DC9BBDF1939FAL);
    assertThat(crc(Arrays.copyOf(text, 4), Arrays.copyOfRange(text, 4, 9)))
        .isEqualTo(Crc64.of(text, 0, text.length));
  }

  @Test
  void archivesOfMongodumpAreRead() throws IOException {
    putArchiveOfMongodump(crc(document(1), document(2), document(3)));
    readAll();
    assertThat(read).containsExactly("a1", "a2", "b7", "a3", "end of b", "end of a");
    assertThat(reader().prelude().serverVersion()).isEqualTo("8.0.4");
    assertThat(reader().prelude().concurrentCollections()).isEqualTo(4);
  }

  @Test
  void theirCheckIsCompared() throws IOException {
    putArchiveOfMongodump(1);
    assertThatThrownBy(this::readAll)
        .isInstanceOf(DamagedDumpException.class)
        .hasMessageContaining("damaged in the block of d.a at byte");
    assertThat(read).doesNotContain("end of a");
  }

  @Test
  void everyCutIsFound() throws IOException {
    putArchiveOfMongodump(crc(document(1), document(2), document(3)));
    byte[] whole = archive.toByteArray();
    for (int length = 4; length < whole.length; length++) {
      var cut = new ByteArrayInputStream(whole, 0, length);
      int bytes = length;
      assertThatThrownBy(
              () -> {
                var reader = new ArchiveReader(cut);
                reader.read(new Ignoring());
                if (!reader.missing().isEmpty()) {
                  throw new DamagedDumpException("without " + reader.missing());
                }
              })
          .as("the first %d of %d bytes", bytes, whole.length)
          .isInstanceOf(DamagedDumpException.class);
    }
  }

  /** Of the names that the check stands under a change is not found, and does no harm. */
  @Test
  void everyChangedByteIsFound() throws IOException {
    try (var writer =
        new ArchiveWriter(
            archive,
            new ArchivePrelude(
                1,
                "8",
                "t",
                true,
                List.of(new ArchivePrelude.Entry("d", "a", "{}", "collection", 0))))) {
      try (OutputStream out = writer.open("d", "a")) {
        for (int i = 0; i < 5; i++) {
          byte[] document = document(i);
          out.write(document, 0, document.length);
        }
      }
    }
    byte[] whole = archive.toByteArray();
    ArchivePrelude prelude = contentOf(whole);
    int begin = new String(whole, StandardCharsets.ISO_8859_1).indexOf("header_crc") - 1;
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x10;
      if (at >= begin && at < begin + "_header_crc_".length() + Long.BYTES) {
        try {
          assertThat(contentOf(changed)).isEqualTo(prelude);
        } catch (DamagedDumpException e) {
          continue;
        }
      } else {
        assertThatThrownBy(() -> contentOf(changed), "byte %d of %d", at, whole.length)
            .isInstanceOf(DamagedDumpException.class);
      }
    }
  }

  private static ArchivePrelude contentOf(byte[] bytes) throws IOException {
    var reader = new ArchiveReader(new ByteArrayInputStream(bytes));
    reader.read(new Ignoring());
    return reader.prelude();
  }

  private static final class Ignoring implements ArchiveReader.Consumer {
    @Override
    public void documents(String database, String collection, List<RawBsonDocument> documents) {}

    @Override
    public void end(String database, String collection) {}
  }

  @Test
  void namesOfFilesAreEscaped() {
    for (String name :
        List.of("plain", "a/b", "50%", "fs.chunks", "wörter", "a b", "$x", "..", "a\\b")) {
      assertThat(DumpFileNames.unescape(DumpFileNames.escape(name))).isEqualTo(name);
      assertThat(DumpFileNames.escape(name)).matches("[\\w.~$&+=:@%-]+");
    }
    assertThat(DumpFileNames.escape("a/b%")).isEqualTo("a%2Fb%25");
    assertThat(DumpFileNames.escape("x".repeat(300))).hasSize(208 + 3 + 27).startsWith("xxx");
    assertThat(DumpFileNames.escape("x".repeat(238))).isEqualTo("x".repeat(238));
  }
}
