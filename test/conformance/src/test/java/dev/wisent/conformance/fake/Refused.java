package dev.wisent.conformance.fake;

import java.lang.reflect.Proxy;

/** Parts of the seam that the fake does not have: each of their methods is refused. */
final class Refused {
  private Refused() {}

  static <T> T of(Class<T> part) {
    return part.cast(
        Proxy.newProxyInstance(
            part.getClassLoader(),
            new Class<?>[] {part},
            (proxy, method, arguments) -> {
              throw FakeStore.refused(part.getSimpleName() + "." + method.getName());
            }));
  }
}
