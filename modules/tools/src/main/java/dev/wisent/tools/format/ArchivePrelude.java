package dev.wisent.tools.format;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * What an archive begins with.
 *
 * @param concurrentCollections how many collections were written at a time
 * @param checkedBlocks whether each block has a check of its own, as in archives of ours
 */
public record ArchivePrelude(
    int concurrentCollections,
    String serverVersion,
    String toolVersion,
    boolean checkedBlocks,
    List<Entry> entries) {
  static final int MAGIC = 0x8199e26d;

  /** Of the header: the check of the header and the entries. Its last field, as in a block. */
  private static final String CHECK = "header_crc";

  private static final String FORMAT = "0.1";

  /**
   * A collection of the archive.
   *
   * @param metadata as JSON; empty for the oplog
   */
  public record Entry(String database, String collection, String metadata, String type, int size) {
    BsonDocument toDocument() {
      return new BsonDocument("db", new BsonString(database))
          .append("collection", new BsonString(collection))
          .append("metadata", new BsonString(metadata))
          .append("size", new BsonInt32(size))
          .append("type", new BsonString(type));
    }

    static Entry of(BsonDocument document) {
      var none = new BsonString("");
      return new Entry(
          document.getString("db", none).getValue(),
          document.getString("collection", none).getValue(),
          document.getString("metadata", none).getValue(),
          document.getString("type", none).getValue(),
          document.getNumber("size", new BsonInt32(0)).intValue());
    }
  }

  public ArchivePrelude {
    entries = List.copyOf(entries);
  }

  BsonDocument header() {
    return new BsonDocument("concurrent_collections", new BsonInt32(concurrentCollections))
        .append("version", new BsonString(FORMAT))
        .append("server_version", new BsonString(serverVersion))
        .append("tool_version", new BsonString(toolVersion))
        .append("checked_blocks", BsonBoolean.valueOf(checkedBlocks))
        .append(CHECK, new BsonInt64(0));
  }

  /**
   * Compares the check, if there is one.
   *
   * @param documents as they were read: the header and the entries
   */
  static ArchivePrelude of(List<BsonDocument> documents, List<byte[]> bytes)
      throws DamagedDumpException {
    if (documents.isEmpty()) {
      throw new DamagedDumpException("the archive has no header");
    }
    BsonDocument header = documents.getFirst();
    if (BlockCheck.isLast(bytes.getFirst(), CHECK)) {
      var check = new BlockCheck(bytes.getFirst());
      bytes.stream().skip(1).forEach(check::update);
      if (!check.isRight()) {
        throw new DamagedDumpException("the archive is damaged before its first block");
      }
    }
    var none = new BsonString("");
    String version = header.getString("version", none).getValue();
    if (!version.equals(FORMAT)) {
      throw new DamagedDumpException(
          "the archive has the format '" + version + "', and this version knows " + FORMAT);
    }
    List<Entry> entries = new ArrayList<>();
    documents.stream().skip(1).map(Entry::of).forEach(entries::add);
    return new ArchivePrelude(
        header.getNumber("concurrent_collections", new BsonInt32(1)).intValue(),
        header.getString("server_version", none).getValue(),
        header.getString("tool_version", none).getValue(),
        header.getBoolean("checked_blocks", BsonBoolean.FALSE).getValue(),
        entries);
  }
}
