package dev.wisent.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packages of one module that use each other in a circle, as the sources' imports say. */
final class PackageCycles {
  /** In an import, or in code as the way to use a type without an import. */
  private static final Pattern QUALIFIED =
      Pattern.compile("(?<![\\w.\"])(dev\\.wisent[a-z0-9.]*)\\.[A-Z]");

  private final Map<String, Set<String>> uses;
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> components = new ArrayList<>();

  private PackageCycles(Map<String, Set<String>> uses) {
    this.uses = uses;
  }

  /** Which packages the files of each package use, among the packages of these files. */
  static Map<String, Set<String>> uses(List<Path> sources) throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (Path file : sources) {
      Set<String> targets = uses.computeIfAbsent(packageOf(file), name -> new TreeSet<>());
      for (String line : Files.readAllLines(file)) {
        if (line.contains("dev.wisent.") && !isComment(line.strip())) {
          addAll(QUALIFIED.matcher(line), targets);
        }
      }
    }
    uses.forEach(
        (name, targets) -> {
          targets.retainAll(uses.keySet());
          targets.remove(name);
        });
    return uses;
  }

  private static String packageOf(Path file) {
    String directory = file.getParent().toString().replace('\\', '/');
    return directory.substring(directory.indexOf("/java/") + "/java/".length()).replace('/', '.');
  }

  private static boolean isComment(String line) {
    return line.startsWith("*") || line.startsWith("/*") || line.startsWith("//");
  }

  private static void addAll(Matcher names, Set<String> targets) {
    while (names.find()) {
      targets.add(names.group(1));
    }
  }

  /** The strongly connected components of two packages or more, by Tarjan's algorithm. */
  static List<Set<String>> of(Map<String, Set<String>> uses) {
    var cycles = new PackageCycles(uses);
    for (String name : uses.keySet()) {
      if (!cycles.order.containsKey(name)) {
        cycles.visit(name);
      }
    }
    return cycles.components;
  }

  private void visit(String name) {
    int number = order.size();
    order.put(name, number);
    lowest.put(name, number);
    open.push(name);
    for (String used : uses.get(name)) {
      if (!order.containsKey(used)) {
        visit(used);
        lowest.merge(name, lowest.get(used), Math::min);
      } else if (open.contains(used)) {
        lowest.merge(name, order.get(used), Math::min);
      }
    }
    if (lowest.get(name) == number) {
      close(name);
    }
  }

  private void close(String root) {
    Set<String> component = new TreeSet<>();
    String name;
    do {
      name = open.pop();
      component.add(name);
    } while (!name.equals(root));
    if (component.size() > 1) {
      components.add(component);
    }
  }
}
