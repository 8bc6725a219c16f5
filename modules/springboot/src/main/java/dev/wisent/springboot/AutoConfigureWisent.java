package dev.wisent.springboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Has the application context of a test use a Wisent inside its JVM: a server that is not
 * replicated, or, with {@link #members}, a replica set, or, with {@link #shards}, a sharded
 * cluster.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureWisent(members = 3)
 * class OrdersTest {
 *   @Autowired private OrderRepository orders;
 * }
 * }</pre>
 *
 * <p>The connection string of the properties ({@code spring.mongodb.uri}) is not used then. The
 * servers live as long as the context, which Spring keeps for all classes with the same
 * configuration. The context has them as a bean of the type {@link dev.wisent.Wisent}: its {@link
 * dev.wisent.Wisent#reset()} empties them, which does not happen by itself, because a program may
 * have made indexes and documents when it started.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Import(WisentRegistrar.class)
public @interface AutoConfigureWisent {
  /** Of a replica set; 0 for none. */
  int members() default 0;

  /** Of a sharded cluster; 0 for none. */
  int shards() default 0;

  /** What Spring Data uses, unless {@code spring.data.mongodb.database} names another one. */
  String database() default "test";

  /** Server parameters as {@code name=value}. */
  String[] parameters() default {};
}
