package dev.wisent.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The product's modules, lowest first, and the ones that each is built on. */
final class Modules {
  static final String ROOT = "dev.wisent";

  private static final Map<String, List<String>> BUILT_ON = new LinkedHashMap<>();

  static {
    BUILT_ON.put("base", List.of());
    BUILT_ON.put("bson", List.of("base"));
    BUILT_ON.put("query", List.of("bson"));
    BUILT_ON.put("storage", List.of("bson"));
    BUILT_ON.put("database", List.of("query", "storage"));
    BUILT_ON.put("wire", List.of("bson"));
    BUILT_ON.put("replication", List.of("database", "wire"));
    BUILT_ON.put("sharding", List.of("database", "replication", "wire"));
    BUILT_ON.put("security", List.of("bson"));
    BUILT_ON.put("server", List.of("database", "wire", "replication", "sharding", "security"));
    BUILT_ON.put("cli", List.of("server", "wire"));
    BUILT_ON.put("console", List.of("server"));
  }

  /** Around the product: they may use it, it never uses them. */
  private static final Set<String> OUTSIDE =
      Set.of("testkit", "conformance", "architecture", "bench", "simulation");

  private Modules() {}

  /** All classes of the product, without tests. */
  static JavaClasses product() {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .withImportOption(Modules::isProduct)
        .importPackages(ROOT);
  }

  private static boolean isProduct(Location location) {
    return OUTSIDE.stream().noneMatch(name -> location.contains("/dev/wisent/" + name + "/"));
  }

  static Set<String> names() {
    return BUILT_ON.keySet();
  }

  /** The modules that one may use: those it is built on, and what those are built on. */
  static Set<String> usableBy(String module) {
    Set<String> usable = new LinkedHashSet<>();
    for (String below : BUILT_ON.get(module)) {
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
