package dev.wisent.query.script;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;

/** What functions can ask of our side: the few helpers of MongoDB that are not JavaScript. */
final class ScriptHost {
  private static final int PAUSE_MILLIS = 5;

  private final String version;
  private final ScriptContext context;

  ScriptHost(String version, ScriptContext context) {
    this.version = version;
    this.context = context;
  }

  ProxyObject members() {
    return ProxyObject.fromMap(
        Map.of(
            "version", version,
            "sleep", (ProxyExecutable) arguments -> sleep(arguments[0].asLong()),
            "md5", (ProxyExecutable) arguments -> md5(arguments[0].asString()),
            "bsonSize", (ProxyExecutable) arguments -> bsonSize(arguments[0])));
  }

  /** Waits in small steps, so that a script which must end is not waited for. */
  private Object sleep(long millis) {
    var never = new Semaphore(0);
    try {
      for (long left = millis; left > 0; left -= PAUSE_MILLIS) {
        CommandException reason = context.stopReason();
        if (reason != null) {
          throw reason;
        }
        if (never.tryAcquire(Math.min(left, PAUSE_MILLIS), TimeUnit.MILLISECONDS)) {
          throw new AssertionError("a permit that was never given");
        }
      }
    } catch (InterruptedException e) {
      throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
    }
    return null;
  }

  private static Object md5(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object bsonSize(Value value) {
    RawValue converted = context.result(value);
    return converted.length();
  }
}
