package dev.wisent.storage;

/**
 * Where the records of a collection are.
 *
 * @param ident what their keys begin with; null where the RecordId is all there is
 */
public record RecordSpace(Keyspace keyspace, Integer ident) {
  /** The oplog, whose RecordIds are timestamps. */
  public static final RecordSpace OPLOG = new RecordSpace(Keyspace.OPLOG, null);

  public static RecordSpace ofIdent(int ident) {
    return new RecordSpace(Keyspace.RECORDS, ident);
  }

  public byte[] key(long recordId) {
    return ident == null ? OplogKeys.entry(recordId) : RecordKeys.recordKey(ident, recordId);
  }

  public long recordId(byte[] key) {
    return ident == null ? OplogKeys.timestamp(key) : RecordKeys.recordId(key);
  }

  /** The RecordId of a key that stands somewhere in an array. */
  public long recordId(byte[] source, int keyOffset) {
    return RecordKeys.recordId(
        source, ident == null ? keyOffset : keyOffset + RecordKeys.IDENT_BYTES);
  }

  /** The inclusive lower bound of all keys. */
  public byte[] lowerBound() {
    return ident == null ? OplogKeys.entry(0) : RecordKeys.lowerBound(ident);
  }

  /** The exclusive upper bound of all keys; null, that is none, for the last ident. */
  public byte[] upperBound() {
    return ident == null ? OplogKeys.entry(-1) : RecordKeys.upperBound(ident);
  }
}
