package dev.wisent.conformance.unified;

import java.util.HashMap;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/** The operations on one kind of entity, by name. */
final class OperationTable<T> {

  private final String kind;
  private final Map<String, Handler<T>> handlers = new HashMap<>();

  OperationTable(String kind) {
    this.kind = kind;
  }

  void add(String name, Handler<T> handler) {
    if (handlers.putIfAbsent(name, handler) != null) {
      throw new IllegalStateException("two handlers for " + name + " on a " + kind);
    }
  }

  /** Runs an operation; one that is not in the table skips the case. */
  OperationResult run(String name, T target, Call call) {
    Handler<T> handler = handlers.get(name);
    if (handler == null) {
      throw new TestAbortedException("operation " + name + " on a " + kind);
    }
    return handler.run(target, call);
  }

  /** Does one operation on an entity. */
  @FunctionalInterface
  interface Handler<T> {
    OperationResult run(T target, Call call);
  }
}
