package dev.wisent.replication;

import java.nio.ByteBuffer;
import org.bson.types.ObjectId;

/** How a term is told to drivers: as an id that grows with each. */
public final class ElectionId {
  private static final int PREFIX = 0x7fffffff;

  private ElectionId() {}

  public static ObjectId of(long term) {
    return new ObjectId(ByteBuffer.allocate(12).putInt(PREFIX).putLong(term).flip());
  }
}
