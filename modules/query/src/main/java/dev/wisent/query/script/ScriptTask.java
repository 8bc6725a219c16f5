package dev.wisent.query.script;

/** Something to do in a context. */
@FunctionalInterface
interface ScriptTask<T> {
  T run(ScriptContext context);
}
