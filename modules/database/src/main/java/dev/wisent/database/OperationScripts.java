package dev.wisent.database;

import dev.wisent.query.script.Script;
import dev.wisent.query.script.ScriptEngine;

/**
 * Functions in JavaScript for one query. They outlive the operation that began it: a cursor goes on
 * under the operation that asks for more.
 */
public final class OperationScripts {
  private final ScriptEngine engine;
  private volatile OperationContext operation;

  OperationScripts(ScriptEngine engine, OperationContext operation) {
    this.engine = engine;
    this.operation = operation;
  }

  Script compile(String code) {
    return engine.compile(code, () -> operation.stopReason());
  }

  /** From now on another operation says when to stop. */
  public void moveTo(OperationContext other) {
    operation = other;
  }
}
