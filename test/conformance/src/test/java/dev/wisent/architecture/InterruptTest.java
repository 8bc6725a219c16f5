package dev.wisent.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.wisent.pipeline.MeteredStream;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.expression.Expression;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every query can be stopped: loops over documents and over elements count their work where they
 * take the next one, so that no stage and no expression has to remember it.
 */
class InterruptTest {
  private static JavaClasses product;

  @BeforeAll
  static void importClasses() {
    product = Modules.product();
  }

  @Test
  void stagesAreOpenedOverCountedDocuments() {
    noClasses()
        .that()
        .areNotAssignableTo(MeteredStream.class)
        .should()
        .accessTargetWhere(calls(Stage.class, "over"))
        .because("MeteredStream.open lets a loop of the stage end where the query has to")
        .check(product);
  }

  /** What chooses one of its arguments hands it on without a look. */
  @Test
  void expressionsCountTheirArguments() {
    noClasses()
        .that()
        .resideInAPackage("dev.wisent.query.expression.*")
        .and()
        .resideOutsideOfPackage("dev.wisent.query.expression.logic")
        .should()
        .accessTargetWhere(calls(Expression.class, "evaluate"))
        .because("Expression.counted lets expressions over long values end where the query has to")
        .check(product);
  }

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String method) {
    return describe(
        "call " + owner.getSimpleName() + "." + method,
        access ->
            access.getTargetOwner().isAssignableTo(owner)
                && access.getTarget().getName().equals(method)
                && !access.getOriginOwner().equals(access.getTargetOwner()));
  }
}
