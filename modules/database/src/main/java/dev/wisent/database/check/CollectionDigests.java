package dev.wisent.database.check;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.diagnostic.CollectionDigest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/** Computes what collections contain as numbers that members can compare. */
public final class CollectionDigests {
  /** System collections that belong to the data; the others belong to the node. */
  private static final Set<String> SYSTEM =
      Set.of(
          "system.backup_users",
          "system.js",
          "system.new_users",
          "system.roles",
          "system.users",
          "system.version",
          "system.views");

  private static final RawDocument BY_ID = RawDocument.parse("{_id: 1}");

  private final Operations operations;

  public CollectionDigests(Operations operations) {
    this.operations = operations;
  }

  /** Whether the documents of a collection are the same on all members. */
  public static boolean isData(Namespace namespace) {
    return namespace.isReplicated()
        && (!namespace.isSystem() || SYSTEM.contains(namespace.collection()));
  }

  public CollectionDigest of(CollectionDefinition collection, OperationContext operation) {
    var request =
        new FindRequest.Builder()
            .sort(collection.isCapped() ? RawDocument.EMPTY : BY_ID)
            .build(collection.namespace());
    MessageDigest digest = md5();
    try (ResultCursor documents = operations.find(operation, request)) {
      while (documents.peek() != null) {
        operation.checkInterrupt();
        RawDocument document = documents.peek();
        digest.update(document.bytes(), document.offset(), document.length());
        documents.take();
      }
    }
    return new CollectionDigest(
        collection.namespace().collection(),
        collection.uuid(),
        collection.isCapped(),
        HexFormat.of().formatHex(digest.digest()));
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
