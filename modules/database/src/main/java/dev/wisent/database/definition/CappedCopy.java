package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.Set;
import java.util.UUID;

/**
 * Copies the documents of a collection into a capped one, of which the oldest are left out if there
 * is not enough room. Changes of the catalog wait meanwhile.
 */
record CappedCopy(LocalDatabase part, OperationContext operation) {
  private static final Set<String> LIMITS = Set.of("capped", "size", "max", "clusteredIndex");

  /**
   * Copies into a capped collection, which then takes the place of the first. Only the {@code _id}
   * index is kept, as in MongoDB. Writers of the collection wait meanwhile.
   */
  void convert(Namespace namespace, RawDocument limits) {
    Collection source = part.catalog().find(namespace);
    if (source == null) {
      part.views().refuse(namespace, "cannot convert a view to a capped collection: " + namespace);
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "source collection " + namespace + " does not exist");
    }
    // Temporary until it has its name, so that a crash leaves nothing.
    RawDocument temporaryLimits =
        new BsonBuilder().appendAll(limits).appendBoolean("temp", true).toDocument();
    UUID unique = operation.random().nextUuid();
    var temporary = new Namespace(namespace.database(), "tmp" + unique + ".convertToCapped");
    operation.acquire(source.exclusiveLock());
    try {
      source.prepared().requireNone();
      source.requireNoBuilds();
      Collection target = copy(namespace, temporary, withOptionsOf(source, temporaryLimits));
      part.changes().rename(target, namespace, source, operation);
    } finally {
      source.exclusiveLock().unlock();
    }
  }

  /** Copies into a new collection, which gets no other options and indexes. */
  void cloneTo(Namespace from, Namespace to, RawDocument limits) {
    if (part.catalog().find(from) == null) {
      part.views().refuse(from, "cloneCollectionAsCapped not supported for views: " + from);
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "source collection " + from + " does not exist");
    }
    part.views().refuse(to, "cloneCollectionAsCapped not supported for views: " + to);
    if (part.catalog().find(to) != null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "cloneCollectionAsCapped failed - destination collection "
              + to
              + " already exists. source collection: "
              + from);
    }
    copy(from, to, limits);
  }

  private Collection copy(Namespace from, Namespace to, RawDocument options) {
    Collection target = part.changes().create(to, options, operation);
    try {
      DocumentCopy.run(part, from, to, operation);
    } catch (RuntimeException e) {
      part.changes().drop(target, operation);
      throw e;
    }
    return target;
  }

  /** What the collection has beside its limits stays: its collation, its validator. */
  private static RawDocument withOptionsOf(Collection source, RawDocument limits) {
    RawDocument others = source.definition().options().without(LIMITS);
    return new BsonBuilder().appendAll(others).appendAll(limits).toDocument();
  }
}
