package dev.wisent.query.script;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** A function, and the engine that runs it. */
record CompiledScript(ScriptEngine engine, FunctionSource source, ScriptSession session)
    implements Script {
  @Override
  public boolean test(RawDocument document) {
    return engine.use(session, context -> context.test(source, document));
  }

  @Override
  public RawValue call(List<RawValue> arguments) {
    return engine.use(session, context -> context.call(source, arguments));
  }
}
