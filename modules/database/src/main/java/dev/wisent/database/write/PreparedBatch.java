package dev.wisent.database.write;

import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.Overlay;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * All that the commit of a prepared transaction needs, as it is stored from its preparation to its
 * end.
 *
 * @param coordinator the shard that knows the outcome; null where that is not stored
 * @param oplogFrom a time before that of its oplog entry, which is found from there on
 * @param changes to records and index entries, as a batch
 * @param keys the unique keys that it holds
 */
public record PreparedBatch(
    TransactionId id,
    String coordinator,
    long oplogFrom,
    byte[] changes,
    List<Part> parts,
    List<HeldKey> keys) {
  private static final byte VERSION = 3;

  /** Without the coordinator. */
  private static final byte VERSION_BEFORE_COORDINATOR = 2;

  /** Without the numbers of orphans. */
  private static final byte VERSION_BEFORE_ORPHANS = 1;

  /**
   * What it changes in one collection.
   *
   * @param orphans by how many there are more that this shard does not own
   * @param inserted the records that are new
   * @param changed those that others know
   */
  record Part(
      int ident,
      long documents,
      long bytes,
      long orphans,
      long greatestDeleted,
      List<Long> inserted,
      List<Long> changed) {}

  /** A key of a unique index. */
  record HeldKey(int ident, byte[] key) {}

  /** The changes, to be read over a state of the store. */
  Overlay overlay() {
    var overlay = new Overlay();
    overlay.add(Mutation.ofBatch(changes, List.of()));
    return overlay;
  }

  byte[] encode() {
    var bytes = new ByteArrayOutputStream(changes.length + 256);
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writeBytes(id.session().bytes(), out);
      out.writeLong(id.number());
      out.writeUTF(coordinator == null ? "" : coordinator);
      out.writeLong(oplogFrom);
      writeBytes(changes, out);
      out.writeInt(parts.size());
      for (Part part : parts) {
        out.writeInt(part.ident);
        out.writeLong(part.documents);
        out.writeLong(part.bytes);
        out.writeLong(part.orphans);
        out.writeLong(part.greatestDeleted);
        writeIds(part.inserted, out);
        writeIds(part.changed, out);
      }
      out.writeInt(keys.size());
      for (HeldKey held : keys) {
        out.writeInt(held.ident);
        writeBytes(held.key, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static PreparedBatch decode(byte[] stored) {
    try (var in = new DataInputStream(new ByteArrayInputStream(stored))) {
      byte version = in.readByte();
      if (version < VERSION_BEFORE_ORPHANS || version > VERSION) {
        throw new IllegalStateException("a prepared transaction of unknown version " + version);
      }
      byte[] session = readBytes(in);
      var id = new TransactionId(SessionId.ofBytes(session, 0, session.length), in.readLong());
      String coordinator = version > VERSION_BEFORE_COORDINATOR ? in.readUTF() : "";
      long oplogFrom = in.readLong();
      byte[] changes = readBytes(in);
      int count = in.readInt();
      var parts = new ArrayList<Part>(count);
      for (int i = 0; i < count; i++) {
        parts.add(
            new Part(
                in.readInt(),
                in.readLong(),
                in.readLong(),
                version > VERSION_BEFORE_ORPHANS ? in.readLong() : 0,
                in.readLong(),
                readIds(in),
                readIds(in)));
      }
      count = in.readInt();
      var keys = new ArrayList<HeldKey>(count);
      for (int i = 0; i < count; i++) {
        keys.add(new HeldKey(in.readInt(), readBytes(in)));
      }
      return new PreparedBatch(
          id, coordinator.isEmpty() ? null : coordinator, oplogFrom, changes, parts, keys);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  private static void writeIds(List<Long> ids, DataOutputStream out) throws IOException {
    out.writeInt(ids.size());
    for (long id : ids) {
      out.writeLong(id);
    }
  }

  private static List<Long> readIds(DataInputStream in) throws IOException {
    int count = in.readInt();
    var ids = new ArrayList<Long>(count);
    for (int i = 0; i < count; i++) {
      ids.add(in.readLong());
    }
    return ids;
  }
}
