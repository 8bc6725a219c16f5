package dev.wisent.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Arrows point one way, and foreign libraries stay in the module that wraps them. */
class ModuleDirectionTest {
  private static JavaClasses product;

  @BeforeAll
  static void importClasses() {
    product = Modules.product();
  }

  @Test
  void theImportFindsTheProduct() {
    for (String module : Modules.names()) {
      assertThat(product.stream().filter(type -> Modules.of(type).equals(Optional.of(module))))
          .as("classes of %s; without them the other rules would pass on nothing", module)
          .isNotEmpty();
    }
  }

  @Test
  void everyClassBelongsToAKnownModule() {
    classes()
        .should(belongToAModule())
        .because("a new module needs its place in ARCHITECTURE.md and CONTRIBUTING.md")
        .check(product);
  }

  @Test
  void modulesOnlyUseThoseBelow() {
    classes()
        .should(onlyUseModulesBelow())
        .because("the arrows of ARCHITECTURE.md point one way: move the type down, or pass it in")
        .check(product);
  }

  @Test
  void whatAllRolesShareKnowsTheOperationSeamAndNotTheStore() {
    Set<String> knowing =
        product.stream()
            .filter(ModuleDirectionTest::isOfAllRoles)
            .filter(ModuleDirectionTest::knowsTheStore)
            .map(type -> type.getName().replaceFirst("\\$.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(knowing)
        .as("a router runs the same commands without a store: ask Operations or Definitions")
        .isEmpty();
  }

  /** What assembles a node lies beside what all roles share. */
  private static boolean isOfAllRoles(JavaClass type) {
    boolean assembly = type.getPackageName().equals("dev.wisent.server.node");
    return assembly
        ? Set.of("WisentServer", "ServerRole").contains(type.getSimpleName())
        : type.getPackageName().startsWith("dev.wisent.server");
  }

  @Test
  void theFakeRoleKnowsTheOperationSeamAndNotTheStore() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.wisent.database..", "dev.wisent.storage..")
        .because("it proves that the seam is all that a role needs")
        .check(new ClassFileImporter().importPackages("dev.wisent.conformance.fake"));
  }

  private static boolean knowsTheStore(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(dependency -> Modules.of(dependency.getTargetClass()).orElse(""))
        .anyMatch(Set.of("database", "storage")::contains);
  }

  @Test
  void rocksDbStaysInStorage() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.wisent.storage..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.rocksdb..")
        .because("only storage knows RocksDB: use its StorageEngine, Snapshot and CommitLog")
        .check(product);
  }

  @Test
  void nettyStaysInWireAndServer() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.wisent.wire..", "dev.wisent.server..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .because("what lies below the transport works on bytes, not on Netty's buffers")
        .check(product);
  }

  @Test
  void ratisStaysInReplication() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.wisent.replication..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.ratis..")
        .because("nothing above the CommitLog seam knows which log it is")
        .check(product);
  }

  @Test
  void theDriverIsForTestsAndTools() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.wisent.tools..", "dev.wisent.junit..", "dev.wisent.springboot..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.mongodb..")
        .because("the server is what the driver talks to; BSON types come from org.bson")
        .check(product);
  }

  private static ArchCondition<JavaClass> belongToAModule() {
    return new ArchCondition<>("belong to a module of the list") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Modules.of(type)
            .filter(module -> !Modules.names().contains(module))
            .ifPresent(
                module ->
                    events.add(
                        SimpleConditionEvent.violated(
                            type, type.getDescription() + " is in the unknown module " + module)));
      }
    };
  }

  private static ArchCondition<JavaClass> onlyUseModulesBelow() {
    return new ArchCondition<>("only use modules below their own") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Optional<String> own = Modules.of(type).filter(Modules.names()::contains);
        if (own.isEmpty()) {
          return;
        }
        Set<String> usable = Modules.usableBy(own.get());
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass();
          boolean frontDoor =
              target.getPackageName().equals(Modules.ROOT)
                  && !Modules.OPENING_THE_FRONT_DOOR.contains(own.get());
          boolean below =
              Modules.of(target)
                  .map(module -> module.equals(own.get()) || usable.contains(module))
                  .orElse(true);
          if (frontDoor || !below) {
            events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
          }
        }
      }
    };
  }
}
