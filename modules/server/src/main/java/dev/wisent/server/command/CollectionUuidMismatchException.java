package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import java.util.UUID;

/** Under a name there is another collection than the client expects, or none. */
public final class CollectionUuidMismatchException extends CommandException {
  private static final long serialVersionUID = 1L;

  private final transient Namespace expected;
  private final UUID uuid;
  private final String actual;

  /**
   * @param actual the name of the collection with the UUID; null if there is none
   */
  public CollectionUuidMismatchException(Namespace expected, UUID uuid, String actual) {
    super(ErrorCode.COLLECTION_UUID_MISMATCH, "Collection UUID does not match that specified");
    this.expected = expected;
    this.uuid = uuid;
    this.actual = actual;
  }

  public void append(BsonBuilder out) {
    out.appendString("db", expected.database());
    out.appendUuid("collectionUUID", uuid);
    out.appendString("expectedCollection", expected.collection());
    if (actual == null) {
      out.appendNull("actualCollection");
    } else {
      out.appendString("actualCollection", actual);
    }
  }
}
