package dev.wisent.storage;

/**
 * A document as it was before a change, which an oplog entry of the same mutation describes. It is
 * stored under a record id that the time of the entry tells, with that time among its bytes: the
 * log completes it when the entry gets its time.
 *
 * @param ident of the collection that keeps images
 * @param entry the place of the oplog entry in the mutation
 * @param position of the operation in that entry, which has several in an {@code applyOps}
 */
public record PreImage(int ident, int entry, int position, byte[] document) {
  /** The same for an operation that is elsewhere in the entries of its mutation. */
  public PreImage at(int otherEntry, int otherPosition) {
    return new PreImage(ident, otherEntry, otherPosition, document);
  }
}
