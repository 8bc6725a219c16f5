package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.script.Script;
import dev.wisent.query.script.ScriptEngine;
import dev.wisent.query.script.ScriptSession;
import java.util.List;
import java.util.function.Supplier;

/** The functions in JavaScript of one operation. */
final class OperationScripts {
  private final ScriptEngine engine;
  private final Supplier<List<RawDocument>> stored;
  private ScriptSession session;

  /**
   * @param stored reads the functions that the operation's database stores
   */
  OperationScripts(ScriptEngine engine, Supplier<List<RawDocument>> stored) {
    this.engine = engine;
    this.stored = stored;
  }

  Script compile(String code, QueryOperation query) {
    if (session == null) {
      session = new ScriptSession(query::stopReason, stored);
    }
    return engine.compile(code, session);
  }
}
