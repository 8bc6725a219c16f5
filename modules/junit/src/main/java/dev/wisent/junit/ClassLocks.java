package dev.wisent.junit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** Methods of one class, and of the classes in it, run one after the other. */
final class ClassLocks implements ResourceLocksProvider {
  @Override
  public Set<Lock> provideForMethod(
      List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
    Class<?> outermost =
        enclosingInstanceTypes.isEmpty() ? testClass : enclosingInstanceTypes.getFirst();
    return Set.of(
        new Lock(
            ClassLocks.class.getName() + ":" + outermost.getName(), ResourceAccessMode.READ_WRITE));
  }
}
