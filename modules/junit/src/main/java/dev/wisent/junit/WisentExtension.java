package dev.wisent.junit;

import dev.wisent.Wisent;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** What {@link WisentTest} does. */
final class WisentExtension
    implements BeforeAllCallback, BeforeEachCallback, TestInstancePostProcessor, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(WisentExtension.class);

  WisentExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    var unused = lease(context);
    inject(
        context,
        context.getRequiredTestClass(),
        null,
        field -> Modifier.isStatic(field.getModifiers()));
  }

  private static ServerPool pool(ExtensionContext context) {
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
        .computeIfAbsent(ServerPool.class, key -> new ServerPool(), ServerPool.class);
  }

  /**
   * Where instances live as long as their class, the first is made before {@link #beforeAll}. The
   * class is the key, because stores look for keys in those of the classes around, too.
   */
  private static Lease lease(ExtensionContext context) {
    ExtensionContext owner = owner(context);
    return owner
        .getStore(NAMESPACE)
        .computeIfAbsent(owner.getRequiredTestClass(), key -> newLease(owner), Lease.class);
  }

  /** The nearest class with an annotation: nested classes use the servers of those around them. */
  private static ExtensionContext owner(ExtensionContext context) {
    ExtensionContext current = context;
    while (!isAnnotatedClass(current)) {
      current = current.getParent().orElseThrow();
    }
    return current;
  }

  private static boolean isAnnotatedClass(ExtensionContext context) {
    return context.getElement().filter(Class.class::isInstance).isPresent()
        && AnnotationSupport.isAnnotated(context.getRequiredTestClass(), WisentTest.class);
  }

  private static Lease newLease(ExtensionContext owner) {
    Class<?> testClass = owner.getRequiredTestClass();
    WisentTest annotation =
        AnnotationSupport.findAnnotation(testClass, WisentTest.class).orElseThrow();
    return Lease.take(pool(owner), ServerPlan.of(annotation, testClass), annotation);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    lease(context).beforeTest();
  }

  @Override
  public void postProcessTestInstance(Object instance, ExtensionContext context) {
    inject(
        contextOf(instance.getClass(), context),
        instance.getClass(),
        instance,
        field -> !Modifier.isStatic(field.getModifiers()));
  }

  private static void inject(
      ExtensionContext context, Class<?> type, Object instance, Predicate<Field> kind) {
    List<Field> fields =
        AnnotationSupport.findAnnotatedFields(
            type, FromWisent.class, kind, HierarchyTraversalMode.TOP_DOWN);
    for (Field field : fields) {
      if (!isKnown(field.getType())) {
        throw new ExtensionConfigurationException(
            "@FromWisent " + field + ": " + refused(field.getType()));
      }
      if (Modifier.isFinal(field.getModifiers())) {
        throw new ExtensionConfigurationException("@FromWisent " + field + " is final");
      }
      try {
        field.setAccessible(true);
        field.set(instance, value(context, field.getType()));
      } catch (IllegalAccessException e) {
        throw new ExtensionConfigurationException("@FromWisent " + field + " cannot be set", e);
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (!parameter.isAnnotated(FromWisent.class)) {
      return type == Wisent.class || DriverClients.isClient(type);
    }
    if (!isKnown(type)) {
      throw new ExtensionConfigurationException("@FromWisent: " + refused(type));
    }
    return true;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    boolean constructor = parameter.getDeclaringExecutable() instanceof Constructor;
    Class<?> declaring = parameter.getDeclaringExecutable().getDeclaringClass();
    return value(
        constructor ? contextOf(declaring, context) : context, parameter.getParameter().getType());
  }

  /** For a test of a nested class, instances of the classes around it are made, too. */
  private static ExtensionContext contextOf(Class<?> type, ExtensionContext context) {
    ExtensionContext current = context;
    while (current.getTestClass().filter(type::equals).isEmpty()) {
      current = current.getParent().orElseThrow();
    }
    return current;
  }

  private static boolean isKnown(Class<?> type) {
    return type == String.class || type == Wisent.class || DriverClients.isClient(type);
  }

  private static String refused(Class<?> type) {
    return type.getName() + " is not String, Wisent or com.mongodb.client.MongoClient";
  }

  private static Object value(ExtensionContext context, Class<?> type) {
    Lease lease = lease(context);
    if (type == String.class) {
      return lease.servers().uri();
    }
    return type == Wisent.class ? lease.servers() : lease.client();
  }
}
