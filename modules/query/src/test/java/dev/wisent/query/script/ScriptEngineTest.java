package dev.wisent.query.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What functions see, what they return, and what they cannot do. */
class ScriptEngineTest {
  private static final String DOCUMENT =
      "{_id: {$oid: '0123456789abcdef01234567'}, i: 5, d: 2.5, l: {$numberLong:"
          + " '9007199254740993'}, s: 'text', n: null, t: true, when: {$date: 1000}, arr: [1, [2],"
          + " {b: 3}], sub: {x: {y: 'z'}}, dec: {$numberDecimal: '1.10'}, bin: {$binary: {base64:"
          + " 'AQID', subType: '00'}}, uuid: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==',"
          + " subType: '04'}}, re: {$regularExpression: {pattern: '^a', options: 'i'}}, ts:"
          + " {$timestamp: {t: 7, i: 8}}, min: {$minKey: 1}, max: {$maxKey: 1}, ref: {$ref: 'c',"
          + " $id: 1}, code: {$code: 'f()'}, __proto__: 'own'}";

  private static ScheduledExecutorService watchers;
  private static ScriptEngine engine;

  @BeforeAll
  static void start() {
    watchers = Executors.newSingleThreadScheduledExecutor();
    engine = new ScriptEngine(ScriptEngineTest::watch, "8.0.0");
  }

  @AfterAll
  static void stop() {
    engine.close();
    watchers.shutdownNow();
  }

  private static ScriptGuard.Watch watch(
      java.util.function.Supplier<CommandException> reason, Runnable stop) {
    var over = new AtomicBoolean();
    var stopped = new AtomicReference<CommandException>();
    Object lock = new Object();
    Future<?> looking =
        watchers.scheduleWithFixedDelay(
            () -> {
              synchronized (lock) {
                CommandException why = over.get() || stopped.get() != null ? null : reason.get();
                if (why != null) {
                  stopped.set(why);
                  stop.run();
                }
              }
            },
            5,
            5,
            TimeUnit.MILLISECONDS);
    return new ScriptGuard.Watch() {
      @Override
      public CommandException stopped() {
        return stopped.get();
      }

      @Override
      public void close() {
        looking.cancel(false);
        synchronized (lock) {
          over.set(true);
        }
      }
    };
  }

  private static Script compile(String code) {
    return engine.compile(code, new ScriptSession(() -> null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "this.i == 5",
        "this.i == 5;",
        "return this.i == 5",
        "obj.i === this.i",
        "function () { return this.i == 5; }",
        "  // why\n /* and */ function named() { return obj.d > 2; };",
        "() => obj.i == 5",
        "async => true",
        "var x = 2; return this.i > x;",
        "if (this.i > 4) { return true; } return false;",
        "{ return true; }",
        "'yes'",
        "this.l == 9007199254740992 && this.l.toString() == 'NumberLong(\"9007199254740993\")'",
        "this.l > 5 && this.l instanceof NumberLong && this.l.compare(NumberLong(1)) == 1",
        "this._id.str == '0123456789abcdef01234567' && this._id instanceof ObjectId",
        "this._id.equals(ObjectId('0123456789ABCDEF01234567'))",
        "'' + this._id == '0123456789abcdef01234567' && this._id.toString() =="
            + " 'ObjectId(\"0123456789abcdef01234567\")'",
        "this.n === null && this.missing === undefined && this.t === true",
        "this.when instanceof Date && this.when.getTime() == 1000",
        "this.when < ISODate('2000-01-01') && this.when >= new Date(1000)",
        "ISODate('2020-02-03T04:05:06Z').getTime() == Date.UTC(2020, 1, 3, 4, 5, 6)",
        "Array.isArray(this.arr) && this.arr.length == 3 && this.arr[1][0] == 2",
        "this.arr.some(function (x) { return x.b == 3; }) && this.arr.indexOf(1) == 0",
        "this.sub.x.y == 'z' && Object.keys(this.sub).length == 1",
        "this.dec instanceof NumberDecimal && this.dec.toString() == 'NumberDecimal(\"1.10\")'",
        "this.bin instanceof BinData && this.bin.base64() == 'AQID' && this.bin.hex() == '010203'"
            + " && this.bin.length() == 3 && this.bin.subtype() == 0",
        "this.uuid.toString() == 'UUID(\"00010203-0405-0607-0809-0a0b0c0d0e0f\")'",
        "UUID('00010203-0405-0607-0809-0a0b0c0d0e0f').base64() == this.uuid.base64()",
        "this.re instanceof RegExp && this.re.test('ABC')",
        "this.ts instanceof Timestamp && this.ts.t == 7 && this.ts.i == 8",
        "this.min instanceof MinKey && this.max === MaxKey()",
        "this.ref instanceof DBRef && this.ref.$ref == 'c' && this.ref.getId() == 1",
        "this.code instanceof Code && this.code.code == 'f()'",
        "Object.keys(this)[0] == '_id' && this.hasOwnProperty('i')",
        "Object.keys(this).indexOf('__proto__') > 0",
        "var names = []; for (var k in this.sub) names.push(k); return names[0] == 'x'",
        "tojson(this.sub) == '{ \"x\" : { \"y\" : \"z\" } }' && tojson([]) == '[ ]'",
        "isNumber(1) && isString('') && isObject({}) && !isObject([])",
        "NumberInt(7.9) == 7 && NumberInt('3').toNumber() == 3",
        "HexData(0, '010203').base64() == 'AQID'",
        "this.i = 6; return obj.i == 6",
        "const {i, ...rest} = this; for (const v of [1]) {} class A {} return i == 5 && !rest.i",
        "var o = {}; o.constructor = 1; o.toString = 2; return o.constructor + o.toString == 3",
        "typeof print == 'function' && print('x') === undefined",
        "x = 5; return x == 5 && globalThis.x == 5",
        "for (k in {a: 1}) { y = k; } return y == 'a' && k == 'a'",
        "(function () { this.z = 3; })(); return z == 3",
        "hex_md5('hello') == '5d41402abc4b2a76b9719d911017c592'",
        "version() == '8.0.0' && gc() === undefined && sleep(0) === undefined && sleep(3) ==="
            + " undefined",
        "Object.bsonsize({}) == 5 && Object.bsonsize({a: 1}) == 16 && Object.bsonsize(null) == 0",
        "Object.keySet(this.sub).toString() == 'x' && Object.merge({a: 1}, {b: 2}).b == 2",
        "Array.stdDev([1, 3]) == 1 && Array.shuffle([1]).length == 1 && ' x'.ltrim() == 'x'"
      })
  void functionsThatSayYes(String code) {
    assertThat(compile(code).test(RawDocument.parse(DOCUMENT))).as(code).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"this.i > 5", "undefined", "0", "''", "null", "NaN", "this.i;this.d;", ""})
  void functionsThatSayNo(String code) {
    assertThat(compile(code).test(RawDocument.parse(DOCUMENT))).as(code).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          nosuch.field              | ReferenceError: nosuch is not defined
          throw new Error('mine')   | Error: mine
          throw 'text'              | text
          sleep('x')                | Error: sleep takes a single numeric argument
          hex_md5(1)                | Error: hex_md5 takes a single string argument
          Object.bsonsize(1)        | Error: argument to bsonsize has to be an object
          this.missing.deeper       | TypeError: Cannot read property 'deeper' of undefined
          ObjectId('short')         | Error: invalid object id: length
          assert(false, 'why')      | Error: assert failed : why
          """)
  void errorsOfFunctions(String code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> compile(code).test(RawDocument.parse(DOCUMENT)));
    assertThat(error.code()).isEqualTo(ErrorCode.JS_INTERPRETER_FAILURE);
    assertThat(error.getMessage()).startsWith(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"return return", "function (", "(((", "this.x =", "function () { + }"})
  void codeThatCannotBeRead(String code) {
    CommandException error = catchThrowableOfType(CommandException.class, () -> compile(code));
    assertThat(error.code()).isEqualTo(ErrorCode.JS_INTERPRETER_FAILURE);
    assertThat(error.getMessage()).startsWith("SyntaxError: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "typeof Java",
        "typeof Polyglot",
        "typeof Graal",
        "typeof load",
        "typeof loadWithNewGlobal",
        "typeof quit",
        "typeof read",
        "typeof require",
        "typeof process",
        "typeof console",
        "typeof setTimeout",
        "typeof SharedArrayBuffer",
        "typeof WebAssembly",
        "typeof db"
      })
  void nothingOfTheMachineIsThere(String code) {
    assertThat(compile(code + " == 'undefined'").test(RawDocument.EMPTY)).as(code).isTrue();
  }

  /** Functions get at the host by what they are given, so each way up from there is tried. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Java.type('java.lang.Runtime')",
        "Packages.java.lang.System.exit(1)",
        "java.lang.System.exit(1)",
        "Polyglot.eval('js', '1')",
        "Polyglot.import('x')",
        "load('/etc/passwd')",
        "require('fs')",
        "process.exit(1)",
        "quit()",
        "exit()",
        "readFile('/etc/passwd')",
        "import('fs').constructor.x.y",
        "constructor.constructor('return process')().exit()",
        "this.constructor.constructor('return Java')().type('java.lang.System')",
        "(function () {}).constructor('return Java.type(\"java.lang.System\")')()",
        "sleep.constructor('return this')().Java.type('x')",
        "hex_md5.caller.arguments",
        "tojson.getClass().forName('java.lang.Runtime')",
        "version.class.classLoader.loadClass('x')",
        "this.getClass().getClassLoader()",
        "this.d.getClass().getClassLoader()",
        "new (Object.getPrototypeOf(async function () {}).constructor)('return"
            + " Java.type(1)')().x.y",
        "globalThis.__proto__.Java.type('x')",
        "Function('return Java')().type('x')",
        "eval('Java.type(1)')"
      })
  void noWayLeadsOut(String code) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> compile(code).test(RawDocument.parse("{d: 1}")));
    assertThat(error).as(code).isNotNull();
    assertThat(error.getMessage()).contains("Error");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'x'.repeat(1 << 28)",
        "var s = 'x'; while (true) s += s;",
        "new Uint8Array(1 << 28)",
        "(function f() { return f() + 1; })()"
      })
  void hungryFunctionsFail(String code) {
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> compile(code).test(RawDocument.EMPTY));
    assertThat(error.code()).isEqualTo(ErrorCode.JS_INTERPRETER_FAILURE);
    assertThat(compile("true").test(RawDocument.EMPTY)).isTrue();
  }

  @Test
  void functionsLeaveNothingBehind() {
    for (String code :
        List.of(
            "leak = 1",
            "globalThis.leak = 1",
            "Array.prototype.leak = 1; Object.prototype.leak = 1",
            "ObjectId.prototype.toString = null; JSON.stringify = null",
            "Object.getPrototypeOf(function* () {}).leak = 1",
            "'leak'.match(/(l)/)")) {
      compile("try { " + code + " } catch (e) {} return true").test(RawDocument.EMPTY);
    }
    String check =
        "typeof leak == 'undefined' && [].leak === undefined && ({}).leak === undefined &&"
            + " JSON.stringify([1]) == '[1]' && RegExp.$1 === undefined &&"
            + " Object.getPrototypeOf(function* () {}).leak === undefined";
    assertThat(compile(check).test(RawDocument.EMPTY)).isTrue();
  }

  @Test
  void functionsOfAQueryShareTheirGlobals() {
    var session = new ScriptSession(() -> null);
    Script count = engine.compile("n = typeof n == 'undefined' ? 1 : n + 1; return n", session);
    Script read = engine.compile("function () { return n; }", session);
    for (int i = 1; i < 4; i++) {
      assertThat(count.call(List.of())).isEqualTo(RawValue.ofDouble(i));
      assertThat(compile("typeof n == 'undefined'").test(RawDocument.EMPTY)).isTrue();
      assertThat(read.call(List.of())).isEqualTo(RawValue.ofDouble(i));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Object.defineProperty(globalThis, 'leak', {value: 1})",
        "Object.setPrototypeOf(globalThis, {leak: 1})",
        "Object.freeze(globalThis)"
      })
  void aSpoiledContextIsReplaced(String code) {
    compile(code).test(RawDocument.EMPTY);
    for (int i = 0; i < 10; i++) {
      String check = "leak2 = 1; return typeof leak == 'undefined' && leak2 == 1";
      assertThat(compile(check).test(RawDocument.EMPTY)).isTrue();
    }
  }

  @Test
  void storedFunctionsAreThere() {
    List<RawDocument> stored =
        List.of(
            RawDocument.parse("{_id: 'twice', value: {$code: 'function (x) { return 2 * x; }'}}"),
            RawDocument.parse("{_id: 'four', value: {$code: 'function () { return twice(2); };'}}"),
            RawDocument.parse("{_id: 'limit', value: 7}"),
            RawDocument.parse("{_id: 'broken', value: {$code: 'function ('}}"),
            RawDocument.parse("{_id: 5, value: 1}"),
            RawDocument.parse("{_id: 'empty'}"));
    var session = new ScriptSession(() -> null, () -> stored);
    String code = "function (x) { return [twice(x), four(), limit, typeof broken, typeof empty]; }";
    assertThat(engine.compile(code, session).call(List.of(RawValue.ofInt32(5))))
        .isEqualTo(RawDocument.parse("{v: [10.0, 4.0, 7.0, 'undefined', 'undefined']}").get("v"));
    assertThat(compile("typeof twice == 'undefined'").test(RawDocument.EMPTY)).isTrue();
  }

  @Test
  void errorsTellTheStack() {
    String code = "function outer() {\n  var inner = function () { nosuch(); };\n  inner();\n}";
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> compile(code).call(List.of()));
    assertThat(error.getMessage())
        .isEqualTo("ReferenceError: nosuch is not defined :\ninner@:2:29\nouter@:3:3\n");
    error =
        catchThrowableOfType(
            CommandException.class, () -> compile("nosuch.x").test(RawDocument.EMPTY));
    assertThat(error.getMessage()).isEqualTo("ReferenceError: nosuch is not defined :\n@:1:1\n");
  }

  @Test
  void aSleepingFunctionIsEndedWhenItsOperationIs() {
    var asked = new AtomicInteger(Integer.MIN_VALUE);
    var session =
        new ScriptSession(
            () ->
                asked.incrementAndGet() < 5
                    ? null
                    : new CommandException(ErrorCode.MAX_TIME_MS_EXPIRED, "late"));
    Script sleeping = engine.compile("sleep(2000000000)", session);
    asked.set(0);
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> sleeping.test(RawDocument.EMPTY));
    assertThat(error.code()).isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
  }

  @Test
  void aFunctionIsEndedWhenItsOperationIs() {
    var late = new AtomicBoolean();
    Script endless =
        engine.compile(
            "while (true) {}",
            new ScriptSession(
                () ->
                    late.get()
                        ? new CommandException(ErrorCode.MAX_TIME_MS_EXPIRED, "late")
                        : null));
    late.set(true);
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> endless.test(RawDocument.EMPTY));
    assertThat(error.code()).isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    assertThat(compile("true").test(RawDocument.EMPTY)).isTrue();
  }

  @Test
  void manyThreadsShareAFunction() throws Exception {
    Script script = compile("this.n % 2 == 0");
    try (var threads = Executors.newFixedThreadPool(12)) {
      List<Future<Boolean>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        RawDocument document = RawDocument.parse("{n: " + i + "}");
        answers.add(threads.submit(() -> script.test(document)));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get()).isEqualTo(i % 2 == 0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          function (a, b) { return a + b; }          | {v: 3.0}
          function (a) { return [a, 'x', null]; }    | {v: [1.0, 'x', null]}
          function () { return {a: {b: true}}; }     | {v: {a: {b: true}}}
          function () { return NumberLong('5'); }    | {v: {$numberLong: '5'}}
          function () { return NumberInt(5); }       | {v: 5}
          function () { return NumberDecimal('5.0'); } | {v: {$numberDecimal: '5.0'}}
          function () { return new Date(5); }        | {v: {$date: 5}}
          function () { return ObjectId('0123456789abcdef01234567'); } | {v: {$oid: '0123456789abcdef01234567'}}
          function () { return Timestamp(1, 2); }    | {v: {$timestamp: {t: 1, i: 2}}}
          function () { return BinData(0, 'AQID'); } | {v: {$binary: {base64: 'AQID', subType: '00'}}}
          function () { return /a/i; }               | {v: {$regularExpression: {pattern: 'a', options: 'i'}}}
          function () { return [MinKey(), MaxKey()]; } | {v: [{$minKey: 1}, {$maxKey: 1}]}
          function () { return DBRef('c', 1); }      | {v: {$ref: 'c', $id: 1.0}}
          function () { return {a: undefined, f: function () {}}; } | {v: {a: {$undefined: true}, f: {$code: 'function () {}'}}}
          function () { return [MinKey, MaxKey, {a: MinKey}]; } | {v: [{$minKey: 1}, {$maxKey: 1}, {a: {$minKey: 1}}]}
          function () { return MinKey; }             | {v: {$minKey: 1}}
          function () { return UUID('00010203-0405-0607-0809-0a0b0c0d0e0f'); } | {v: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}}
          function () { return [new Code('f()'), new Code('f()', {x: 1})]; } | {v: [{$code: 'f()'}, {$code: 'f()', $scope: {x: 1.0}}]}
          """)
  void whatFunctionsReturn(String code, String expected) {
    RawValue result = compile(code).call(List.of(RawValue.ofInt32(1), RawValue.ofInt32(2)));
    assertThat(result).isEqualTo(RawDocument.parse(expected).get("v"));
  }

  @Test
  void argumentsComeBackAsTheyWere() {
    RawDocument document = RawDocument.parse(DOCUMENT);
    RawValue result =
        compile("function (x) { return x; }").call(List.of(RawValue.ofDocument(document)));
    RawDocument expected = RawDocument.parse(document.toJson().replace("\"i\": 5,", "\"i\": 5.0,"));
    assertThat(result.asDocument().get("l")).isEqualTo(expected.get("l"));
    assertThat(result.asDocument().get("bin")).isEqualTo(expected.get("bin"));
    assertThat(result.asDocument().get("i")).isEqualTo(expected.get("i"));
    assertThat(result.asDocument().fieldCount()).isEqualTo(document.fieldCount());
    assertThat(compile("function () {}").call(List.of())).isNull();
  }

  @Test
  void aResultWithACycleIsRefused() {
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> compile("function () { var a = {}; a.a = a; return a; }").call(List.of()));
    assertThat(error.getMessage()).contains("cycle");
  }

  @Test
  void largeDocumentsAreHandedOverInParts() {
    var json = new StringBuilder("{arr: [0");
    for (int i = 1; i < 1000; i++) {
      json.append(", ").append(i);
    }
    json.append("]");
    for (int i = 0; i < 1000; i++) {
      json.append(", f").append(i).append(": ").append(i);
    }
    Script script =
        compile(
            "this.arr.length == 1000 && this.arr[999] == 999 && this.f999 == 999 &&"
                + " Object.keys(this).length == 1001");
    assertThat(script.test(RawDocument.parse(json.append("}").toString()))).isTrue();
  }
}
