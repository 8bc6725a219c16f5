package dev.wisent.cli;

import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Handlers for the operating system's signals. The JDK's only interface for them is {@code
 * sun.misc.Signal}, a supported one of the module jdk.unsupported, at whose every mention the
 * compiler warns without a way to tell it not to: hence reflection.
 */
final class Signals {
  private Signals() {}

  /**
   * Calls {@code handler} with the signal's number, on a thread of the JVM's, whenever the process
   * receives the signal.
   *
   * @param name without SIG, such as {@code TERM}
   */
  static void handle(String name, IntConsumer handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              handlerType.getClassLoader(),
              new Class<?>[] {handlerType},
              (self, method, arguments) -> {
                handler.accept((int) signal.getMethod("getNumber").invoke(arguments[0]));
                return null;
              });
      signal
          .getMethod("handle", signal, handlerType)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot handle the signal " + name, e);
    }
  }
}
