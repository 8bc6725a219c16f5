package dev.wisent.conformance;

import dev.wisent.conformance.ExpectedFailures.Entry;
import dev.wisent.testkit.Topology;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Lets the tests of one node run through a router. Those that behave otherwise there are listed
 * with the reason: {@code ClassName :: method :: reason}, where the method of one case among
 * several has its number, {@code method [3]}, and {@code method [*]} stands for all of them. A
 * listed test that passes fails the run.
 */
public class Differences implements InvocationInterceptor {
  private static final ExpectedFailures LISTED =
      ExpectedFailures.parse(ExpectedFailures.differences(Topology.ofRun()));

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, find(method.getExecutable(), ""));
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    String name = context.getDisplayName();
    run(invocation, find(method.getExecutable(), " " + name.substring(0, name.indexOf(']') + 1)));
  }

  private static Optional<Entry> find(Method method, String number) {
    String test = method.getDeclaringClass().getSimpleName();
    Optional<Entry> one = LISTED.find(test, method.getName() + number);
    return one.isPresent() || number.isEmpty() ? one : LISTED.find(test, method.getName() + " [*]");
  }

  private static void run(Invocation<Void> invocation, Optional<Entry> listed) throws Throwable {
    if (listed.isEmpty()) {
      invocation.proceed();
      return;
    }
    try {
      invocation.proceed();
    } catch (TestAbortedException skip) {
      throw skip;
    } catch (AssertionError | RuntimeException different) {
      throw new TestAbortedException("different: " + listed.get().reason(), different);
    }
    if (listed.get().mayPass()) {
      return;
    }
    throw new AssertionError("no longer different, remove it from the list: " + listed.get());
  }
}
