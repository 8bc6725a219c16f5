package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.metadata.Metadata;
import java.nio.charset.StandardCharsets;

/**
 * The projection that routers send to merge by: whole documents, with the key of the sort in one
 * more field. A document is copied as it is. For one thread.
 */
final class AddedSortKey {
  private final String name;
  private final byte[] nameBytes;
  private final ShownSortKeys keys;

  private AddedSortKey(String name, ShownSortKeys keys) {
    this.name = name;
    this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
    this.keys = keys;
  }

  /** Null for any other projection. */
  static AddedSortKey of(PlanNode.Project node) {
    ElementCursor fields = node.projection().source().elements();
    boolean isMetadata = node.projection().keepsMetadata();
    if (node.sort() == null || isMetadata || !fields.next()) {
      return null;
    }
    String name = fields.name();
    RawValue value = fields.value();
    boolean fits =
        !name.contains(".")
            && value.isDocument()
            && isSortKey(value.asDocument())
            && !fields.next();
    return fits ? new AddedSortKey(name, new ShownSortKeys(node.sort())) : null;
  }

  private static boolean isSortKey(RawDocument value) {
    ElementCursor fields = value.elements();
    return fields.next()
        && fields.name().equals("$meta")
        && fields.value().isString()
        && fields.value().asString().equals("sortKey")
        && !fields.next();
  }

  /** Writes the document with the key; false where it has such a field, or other metadata. */
  boolean append(RawDocument document, Step row, BsonBuilder out) {
    if (document.get(nameBytes) != null || Metadata.isOn(document)) {
      return false;
    }
    out.reset(0);
    out.appendAll(document);
    out.append(name, keys.of(row));
    out.end();
    return true;
  }
}
