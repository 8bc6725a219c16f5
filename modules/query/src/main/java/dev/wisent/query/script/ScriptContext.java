package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;

/** One world that functions run in, for one thread and the functions of one query at a time. */
final class ScriptContext {
  private static final int FUNCTIONS_MAX = 32;
  private static final String STRING_LENGTH_MAX = Integer.toString(16 * 1024 * 1024);
  private static final String TYPED_ARRAY_LENGTH_MAX = Integer.toString(1024 * 1024);
  private static final Source PRELUDE =
      Source.newBuilder("js", ScriptPrelude.SOURCE, "prelude").internal(true).buildLiteral();

  private final Context context;
  private final ScriptValues values;
  private final ScriptResults results;
  private final Value reset;
  private final Value define;

  /** Weak, because the context waits for the next query long after the last one has ended. */
  private WeakReference<ScriptSession> session = new WeakReference<>(null);

  private final Map<FunctionSource, Value> functions =
      new LinkedHashMap<>(FUNCTIONS_MAX, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FunctionSource, Value> eldest) {
          return size() > FUNCTIONS_MAX;
        }
      };

  ScriptContext(Engine engine, String version) {
    context =
        Context.newBuilder("js")
            .engine(engine)
            .allowAllAccess(false)
            .allowHostAccess(HostAccess.NONE)
            .allowPolyglotAccess(PolyglotAccess.NONE)
            .allowEnvironmentAccess(EnvironmentAccess.NONE)
            .allowIO(IOAccess.NONE)
            .allowCreateThread(false)
            .allowCreateProcess(false)
            .allowNativeAccess(false)
            .build();
    Value prelude = context.eval(PRELUDE).execute(new ScriptHost(version, this).members());
    values = new ScriptValues(prelude);
    results = new ScriptResults(prelude);
    reset = prelude.getMember("reset");
    define = prelude.getMember("define");
  }

  boolean isOf(ScriptSession other) {
    return session.refersTo(other);
  }

  /** Forgets what a query has left; false where that is not possible. */
  boolean reset() {
    functions.clear();
    session.clear();
    try {
      return run(self -> reset.execute().asBoolean());
    } catch (ScriptFailure e) {
      return false;
    }
  }

  /** Makes a context without anything that of a query, with its stored functions. */
  void enter(ScriptSession next, List<RawDocument> stored) {
    if (!isOf(next)) {
      session = new WeakReference<>(next);
      run(
          self -> {
            stored.forEach(this::define);
            return null;
          });
    }
  }

  /** As in MongoDB, what cannot be read is not there. */
  private void define(RawDocument stored) {
    RawValue name = stored.get("_id");
    RawValue value = stored.get("value");
    if (name == null || !name.isString() || value == null) {
      return;
    }
    try {
      define.execute(
          name.asString(),
          value.type() == ElementType.CODE
              ? context.eval(FunctionSource.stored(value.asString()))
              : values.of(value));
    } catch (PolyglotException e) {
      if (!e.isGuestException() || e.isCancelled()) {
        throw e;
      }
    }
  }

  /** Why what runs should end; null as long as it should not. */
  CommandException stopReason() {
    ScriptSession current = session.get();
    return current == null ? null : current.stopReason().get();
  }

  /** A value of JavaScript. */
  RawValue result(Value value) {
    return results.of(value);
  }

  static Engine newEngine() {
    return Engine.newBuilder("js")
        .allowExperimentalOptions(true)
        .option("engine.WarnInterpreterOnly", "false")
        .option("js.ecmascript-version", "2024")
        .option("js.string-length-limit", STRING_LENGTH_MAX)
        .option("js.max-typed-array-length", TYPED_ARRAY_LENGTH_MAX)
        .option("js.shared-array-buffer", "false")
        .option("js.regexp-static-result", "false")
        .option("js.graal-builtin", "false")
        .option("js.polyglot-builtin", "false")
        .option("js.load", "false")
        .option("js.print", "false")
        .option("js.console", "false")
        .build();
  }

  /** Whatever goes wrong inside is a {@link ScriptFailure}. */
  <T> T run(ScriptTask<T> task) {
    try {
      context.enter();
      try {
        return task.run(this);
      } finally {
        context.leave();
      }
    } catch (PolyglotException e) {
      throw ScriptFailure.of(e);
    } catch (CommandException e) {
      throw ScriptFailure.of(e);
    } catch (IllegalStateException e) {
      // The context was closed before it could be entered.
      throw ScriptFailure.closed();
    }
  }

  /** Reads code in the way that makes sense of it. */
  FunctionSource parse(String code) {
    List<FunctionSource> candidates = FunctionSource.candidates(code);
    for (FunctionSource candidate : candidates.subList(0, candidates.size() - 1)) {
      try {
        context.parse(candidate.program());
        return candidate;
      } catch (PolyglotException e) {
        if (!e.isSyntaxError()) {
          throw e;
        }
      }
    }
    context.parse(candidates.getLast().program());
    return candidates.getLast();
  }

  boolean test(FunctionSource source, RawDocument document) {
    return function(source).getMember("test").execute(values.of(document)).asBoolean();
  }

  RawValue call(FunctionSource source, List<RawValue> arguments) {
    Object[] converted = arguments.stream().map(values::of).toArray();
    return results.of(function(source).getMember("call").execute(converted));
  }

  private Value function(FunctionSource source) {
    Value function = functions.get(source);
    if (function == null) {
      function = context.eval(source.program());
      functions.put(source, function);
    }
    return function;
  }

  /** Ends what runs in it, from any thread; it cannot be used any more. */
  void cancel() {
    context.close(true);
  }
}
