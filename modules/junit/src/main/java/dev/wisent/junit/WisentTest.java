package dev.wisent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Gives a test class a Wisent inside its JVM.
 *
 * <pre>{@code
 * @WisentTest(topology = Topology.SET)
 * class OrdersTest {
 *   @Test
 *   void countsOrders(MongoClient client) {
 *     ...
 *   }
 * }
 * }</pre>
 *
 * <p>Parameters of constructors and methods can be a {@code MongoClient}, a {@link
 * dev.wisent.Wisent}, or, with {@link FromWisent}, the connection string; fields with {@link
 * FromWisent} can be each of them. The extension closes what it gives.
 *
 * <p>Nested classes use the servers of the class around them unless they have an annotation of
 * their own. Methods of one class do not run at the same time, even where JUnit is told to: they
 * share its data.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(WisentExtension.class)
@ResourceLock(providers = ClassLocks.class)
public @interface WisentTest {
  Topology topology() default Topology.NODE;

  /** Of a {@link Topology#SET}; 3 if it is not given. */
  int members() default 0;

  /** Of a {@link Topology#CLUSTER}; 2 if it is not given. */
  int shards() default 0;

  /** Server parameters as {@code name=value}, such as {@code enableTestCommands=true}. */
  String[] parameters() default {};

  ResetMode reset() default ResetMode.EACH_TEST;

  /**
   * Whether the servers may have been started for another class, and be used by one again. They
   * stop when all tests have run, and otherwise at the end of this class.
   */
  boolean shared() default true;
}
