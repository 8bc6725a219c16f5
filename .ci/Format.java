import com.google.googlejavaformat.java.Formatter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * Checks or fixes the format of all Java sources with google-java-format. Arguments: {@code check}
 * or {@code apply}, the repository's root, and a file that remembers the hashes of sources already
 * found well formatted, so that a build only looks at what changed.
 *
 * <p>A program of its own because google-java-format parses with the compiler of the JDK it runs
 * on: it has to run on the toolchain's JDK 25 and not inside a Maven that was started on an older
 * one.
 */
final class Format {
  private static final List<String> SOURCE_TREES =
      List.of("modules", "test", "bench", "examples", ".ci");

  private final Formatter formatter = new Formatter();
  private final boolean apply;
  private final Path root;
  private final Set<String> known;
  private final Set<String> good = ConcurrentHashMap.newKeySet();
  private final Set<Path> changed = new ConcurrentSkipListSet<>();
  private final ConcurrentSkipListMap<Path, String> broken = new ConcurrentSkipListMap<>();

  private Format(boolean apply, Path root, Set<String> known) {
    this.apply = apply;
    this.root = root;
    this.known = known;
  }

  public static void main(String[] args) throws IOException {
    Path memory = Path.of(args[2]);
    Set<String> known = Files.exists(memory) ? new HashSet<>(Files.readAllLines(memory)) : Set.of();
    Format format = new Format(args[0].equals("apply"), Path.of(args[1]), known);
    sources(format.root).parallelStream().forEach(format::visit);
    Files.createDirectories(memory.getParent());
    Files.write(memory, new TreeSet<>(format.good));
    System.exit(format.report());
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> result = new ArrayList<>();
    for (String tree : SOURCE_TREES) {
      try (Stream<Path> files = Files.walk(root.resolve(tree))) {
        files.filter(Format::isSource).forEach(result::add);
      }
    }
    return result;
  }

  /**
   * Sources are below {@code src}, or beside this program; {@code target} may hold generated ones.
   */
  private static boolean isSource(Path file) {
    String name = file.toString();
    return name.endsWith(".java") && (name.contains("/src/") || name.contains("/.ci/"));
  }

  private void visit(Path file) {
    try {
      String source = Files.readString(file);
      String hash = hash(source);
      if (known.contains(hash)) {
        good.add(hash);
        return;
      }
      String formatted = formatter.formatSourceAndFixImports(source);
      if (formatted.equals(source)) {
        good.add(hash);
        return;
      }
      changed.add(root.relativize(file));
      if (apply) {
        Files.writeString(file, formatted);
        good.add(hash(formatted));
      }
    } catch (Exception e) {
      broken.put(root.relativize(file), e.toString());
    }
  }

  private static String hash(String source) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest);
  }

  private int report() {
    broken.forEach((file, why) -> System.err.println("cannot format " + file + ": " + why));
    changed.forEach(file -> System.err.println((apply ? "formatted " : "not formatted: ") + file));
    if (!apply && !changed.isEmpty()) {
      System.err.println("Fix the format with: mvn -q -N -Pformat validate");
    }
    return broken.isEmpty() && (apply || changed.isEmpty()) ? 0 : 1;
  }
}
