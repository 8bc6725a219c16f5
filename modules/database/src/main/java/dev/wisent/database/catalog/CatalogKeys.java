package dev.wisent.database.catalog;

import dev.wisent.operation.Namespace;
import dev.wisent.storage.RecordKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of the catalog keyspace. One leading byte tells the kind:
 *
 * <pre>
 * C namespace            a collection's definition (BSON)
 * I                      the last ident given out (counter)
 * N ident                documents in a collection (counter)
 * B ident                bytes of those documents (counter)
 * O ident                those of the documents that this shard does not own (counter)
 * M ident field part     part of a field's path met an array in this index (empty value)
 * R ident block          record ids of this block may not be given out again (empty value)
 * W ident path           this path met an array in this wildcard index (empty value)
 * </pre>
 */
public final class CatalogKeys {
  private static final byte COLLECTION = 'C';
  private static final byte LAST_IDENT = 'I';
  private static final byte DOCUMENTS = 'N';
  private static final byte BYTES = 'B';
  private static final byte ORPHANS = 'O';
  private static final byte MULTIKEY = 'M';
  private static final byte USED_RECORD_IDS = 'R';
  private static final byte MULTIKEY_PATH = 'W';

  private CatalogKeys() {}

  /** What a key stands for. */
  public enum Kind {
    COLLECTION,
    DOCUMENTS,
    BYTES,
    ORPHANS,
    MULTIKEY,
    MULTIKEY_PATH,
    USED_RECORD_IDS,
    /** Something that is not kept in memory. */
    OTHER
  }

  /** The kind of a key that begins at an offset. */
  public static Kind kind(byte[] source, int offset) {
    return switch (source[offset]) {
      case COLLECTION -> Kind.COLLECTION;
      case DOCUMENTS -> Kind.DOCUMENTS;
      case BYTES -> Kind.BYTES;
      case ORPHANS -> Kind.ORPHANS;
      case MULTIKEY -> Kind.MULTIKEY;
      case MULTIKEY_PATH -> Kind.MULTIKEY_PATH;
      case USED_RECORD_IDS -> Kind.USED_RECORD_IDS;
      default -> Kind.OTHER;
    };
  }

  /** The namespace in the key of a collection. */
  public static Namespace namespace(byte[] source, int offset, int length) {
    return Namespace.parse(new String(source, offset + 1, length - 1, StandardCharsets.UTF_8));
  }

  public static byte[] collection(Namespace namespace) {
    byte[] name = namespace.full().getBytes(StandardCharsets.UTF_8);
    byte[] key = new byte[name.length + 1];
    key[0] = COLLECTION;
    System.arraycopy(name, 0, key, 1, name.length);
    return key;
  }

  public static byte[] allCollectionsLower() {
    return new byte[] {COLLECTION};
  }

  public static byte[] allCollectionsUpper() {
    return new byte[] {COLLECTION + 1};
  }

  public static byte[] lastIdent() {
    return new byte[] {LAST_IDENT};
  }

  public static byte[] documents(int ident) {
    return withIdent(DOCUMENTS, ident, 0);
  }

  public static byte[] bytes(int ident) {
    return withIdent(BYTES, ident, 0);
  }

  public static byte[] orphans(int ident) {
    return withIdent(ORPHANS, ident, 0);
  }

  /** Lower bound of the multikey marks of an index. */
  public static byte[] multikey(int indexIdent) {
    return withIdent(MULTIKEY, indexIdent, 0);
  }

  public static byte[] multikey(int indexIdent, int field, int part) {
    byte[] key = withIdent(MULTIKEY, indexIdent, 2);
    key[1 + RecordKeys.IDENT_BYTES] = (byte) field;
    key[2 + RecordKeys.IDENT_BYTES] = (byte) part;
    return key;
  }

  /** Lower bound of the marked paths of a wildcard index. */
  public static byte[] multikeyPaths(int indexIdent) {
    return withIdent(MULTIKEY_PATH, indexIdent, 0);
  }

  public static byte[] multikeyPath(int indexIdent, String path) {
    byte[] utf8 = path.getBytes(StandardCharsets.UTF_8);
    byte[] key = withIdent(MULTIKEY_PATH, indexIdent, utf8.length);
    System.arraycopy(utf8, 0, key, 1 + RecordKeys.IDENT_BYTES, utf8.length);
    return key;
  }

  /** The path in such a key. */
  public static String multikeyPath(byte[] key, int keyLength) {
    int start = 1 + RecordKeys.IDENT_BYTES;
    return new String(key, start, keyLength - start, StandardCharsets.UTF_8);
  }

  public static byte[] usedRecordIds(int ident, long block) {
    byte[] key = withIdent(USED_RECORD_IDS, ident, Long.BYTES);
    ByteBuffer.wrap(key).putLong(1 + RecordKeys.IDENT_BYTES, block);
    return key;
  }

  /** The block in such a key. */
  public static long usedBlock(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1 + RecordKeys.IDENT_BYTES);
  }

  /** The kinds of keys that belong to the ident of a collection or an index. */
  public static List<Byte> kindsWithIdent() {
    return List.of(BYTES, MULTIKEY, MULTIKEY_PATH, DOCUMENTS, ORPHANS, USED_RECORD_IDS);
  }

  /** Lower bound of the keys of a kind; that of the next kind is the upper one. */
  public static byte[] allOfKind(int kind) {
    return new byte[] {(byte) kind};
  }

  /** The ident in a key of such a kind. */
  public static int ident(byte[] key) {
    return RecordKeys.ident(Arrays.copyOfRange(key, 1, 1 + RecordKeys.IDENT_BYTES));
  }

  public static int multikeyField(byte[] key) {
    return key[1 + RecordKeys.IDENT_BYTES];
  }

  public static int multikeyPart(byte[] key) {
    return key[2 + RecordKeys.IDENT_BYTES];
  }

  private static byte[] withIdent(byte kind, int ident, int extra) {
    byte[] key = new byte[1 + RecordKeys.IDENT_BYTES + extra];
    key[0] = kind;
    key[1] = (byte) (ident >>> 24);
    key[2] = (byte) (ident >>> 16);
    key[3] = (byte) (ident >>> 8);
    key[4] = (byte) ident;
    return key;
  }
}
