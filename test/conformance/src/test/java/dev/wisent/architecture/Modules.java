package dev.wisent.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The product's modules, and the ones that each is built on. */
final class Modules {
  static final String ROOT = "dev.wisent";

  /** From each module to the ones it is built on, as ARCHITECTURE.md draws them. */
  private static final Map<String, Set<String>> ARROWS = ModuleDocuments.arrows();

  /** Around the product: they may use it, it never uses them. */
  private static final Set<String> OUTSIDE =
      Set.of("testkit", "conformance", "architecture", "bench", "example", "simulation");

  /** For tests of programs; the others know what lies behind it. */
  static final Set<String> OPENING_THE_FRONT_DOOR = Set.of("junit", "springboot");

  private Modules() {}

  /** All classes of the product, without tests; imported once, which takes seconds. */
  static JavaClasses product() {
    return Product.CLASSES;
  }

  private static final class Product {
    private static final JavaClasses CLASSES =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(Modules::isProduct)
            .importPackages(ROOT);
  }

  /** A test-jar has tests, which ArchUnit takes for such only where they are a directory. */
  private static boolean isProduct(Location location) {
    return !location.contains("-tests.jar!")
        && OUTSIDE.stream().noneMatch(name -> location.contains("/dev/wisent/" + name + "/"));
  }

  static Set<String> names() {
    return ARROWS.keySet();
  }

  /** The modules that one may use: those it is built on, and what those are built on. */
  static Set<String> usableBy(String module) {
    Set<String> usable = new LinkedHashSet<>();
    for (String below : ARROWS.get(module)) {
      usable.add(below);
      usable.addAll(usableBy(below));
    }
    return usable;
  }

  /**
   * The part of the package name that names the module; empty for classes that are not ours. The
   * classes in {@value #ROOT} itself are the library's front door, and belong to no module.
   */
  static Optional<String> of(JavaClass type) {
    String[] parts = type.getPackageName().split("\\.");
    boolean ours = parts.length > 2 && type.getPackageName().startsWith(ROOT + ".");
    return ours ? Optional.of(parts[2]) : Optional.empty();
  }
}
