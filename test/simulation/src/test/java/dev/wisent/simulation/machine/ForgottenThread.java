package dev.wisent.simulation.machine;

import java.lang.reflect.Field;
import java.util.List;

/**
 * Takes from a virtual thread that never runs again what it refers to: its stack, and what it waits
 * for. The JVM keeps virtual threads that have not ended, by references which a heap dump does not
 * show, and with the stack of one thread it keeps a whole cluster.
 */
final class ForgottenThread {
  private static final Field CONTINUATION;
  private static final List<Field> OF_THREAD;
  private static final List<Field> OF_CONTINUATION;

  static {
    try {
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
      CONTINUATION = field(virtual, "cont");
      OF_THREAD =
          List.of(
              field(virtual, "timeoutTask"),
              field(virtual, "runContinuation"),
              field(Thread.class, "parkBlocker"),
              field(Thread.class, "threadLocals"),
              field(Thread.class, "uncaughtExceptionHandler"));
      OF_CONTINUATION = List.of(field(continuation, "tail"), field(continuation, "target"));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ForgottenThread() {}

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Not of the thread that is running. */
  static void empty(Thread thread) {
    try {
      Object continuation = CONTINUATION.get(thread);
      for (Field field : OF_CONTINUATION) {
        field.set(continuation, null);
      }
      for (Field field : OF_THREAD) {
        field.set(thread, null);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
