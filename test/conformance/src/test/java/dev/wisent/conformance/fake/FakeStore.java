package dev.wisent.conformance.fake;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.query.collation.Collation;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All collections. One lock: each operation sees and changes them alone. */
final class FakeStore {
  private final Map<Namespace, FakeCollection> collections =
      new TreeMap<>(Comparator.comparing(Namespace::full));

  /** Runs something alone. */
  synchronized <T> T locked(Supplier<T> work) {
    return work.get();
  }

  Map<Namespace, FakeCollection> collections() {
    return collections;
  }

  /** Null if there is none. */
  FakeCollection find(Namespace namespace) {
    return collections.get(namespace);
  }

  FakeCollection require(Namespace namespace) {
    FakeCollection collection = find(namespace);
    if (collection == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns not found " + namespace);
    }
    return collection;
  }

  FakeCollection findOrCreate(Namespace namespace) {
    return collections.computeIfAbsent(
        namespace, name -> new FakeCollection(null, RawDocument.EMPTY));
  }

  /** Null for the simple one. */
  Collation collation(Namespace namespace) {
    return locked(
        () -> {
          FakeCollection collection = find(namespace);
          return collection == null ? null : collection.collation;
        });
  }

  /** What is asked of this role that it does not have. */
  static CommandException refused(String what) {
    return new CommandException(
        ErrorCode.COMMAND_NOT_SUPPORTED, what + " is not supported in this role");
  }
}
