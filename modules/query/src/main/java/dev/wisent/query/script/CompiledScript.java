package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;
import java.util.function.Supplier;

/** A function, and the engine that runs it. */
record CompiledScript(
    ScriptEngine engine, FunctionSource source, Supplier<CommandException> stopReason)
    implements Script {
  @Override
  public boolean test(RawDocument document) {
    return engine.use(stopReason, context -> context.test(source, document));
  }

  @Override
  public RawValue call(List<RawValue> arguments) {
    return engine.use(stopReason, context -> context.call(source, arguments));
  }
}
