package dev.wisent.operation;

/** What a store keeps with an operation. Only the store knows more of it than this. */
public interface StoreAttachment {
  boolean hasWritten();

  /** The cluster time of the operation's last write; 0 if it made none that is replicated. */
  long lastWriteTime();
}
