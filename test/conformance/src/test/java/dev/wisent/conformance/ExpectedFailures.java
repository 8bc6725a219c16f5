package dev.wisent.conformance;

import dev.wisent.testkit.Topology;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The cases that are known to fail, with the reason.
 *
 * <p>One line each: {@code folder/file.json :: case description :: reason}. Lines that start with
 * {@code #} are comments. The file may be a glob; a description of {@code *} stands for all cases
 * of the file. An entry for one case must fail, or it is reported as an unexpected pass; an entry
 * for all cases must have at least one that fails. Where the reason begins with "any order" it may
 * fail or not: without a sort, several shards give their documents in any order.
 */
final class ExpectedFailures {

  private final List<Entry> entries;
  private final Set<Entry> failed = new HashSet<>();
  private final Set<Entry> ran = new HashSet<>();
  private final Set<Entry> matched = new HashSet<>();

  private ExpectedFailures(List<Entry> entries) {
    this.entries = entries;
  }

  static ExpectedFailures fromResource(String name) {
    return parse(resource(name));
  }

  /** Those of a resource and, in a run through a router, where that differs from one node. */
  static ExpectedFailures ofRun(String name) {
    return parse(resource(name) + "\n" + differences(Topology.ofRun()));
  }

  /** The lines that say where a topology differs from one node; empty for one node. */
  static String differences(Topology topology) {
    return switch (topology) {
      case SERVER -> "";
      case CLUSTER -> resource("/differences-cluster.txt");
      case SHARDED -> differences(Topology.CLUSTER) + "\n" + resource("/differences-sharded.txt");
    };
  }

  /** The lines of a list, without comments. */
  static List<String> lines(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  static String resource(String name) {
    try (InputStream in = ExpectedFailures.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  static ExpectedFailures parse(String text) {
    return new ExpectedFailures(lines(text).stream().map(Entry::parse).toList());
  }

  /** The entry for a case; one that names the case wins over one for the whole file. */
  Optional<Entry> find(String file, String description) {
    List<Entry> found = entries.stream().filter(e -> e.covers(file, description)).toList();
    matched.addAll(found);
    return found.stream()
        .filter(e -> !e.wholeFile())
        .findFirst()
        .or(() -> found.stream().findFirst());
  }

  List<Entry> entries() {
    return entries;
  }

  void recordFailure(Entry entry) {
    ran.add(entry);
    failed.add(entry);
  }

  void recordPass(Entry entry) {
    ran.add(entry);
  }

  /** Entries of the folders that ran which stand for no case at all: misspelt or outdated. */
  List<Entry> unmatched(Set<String> folders) {
    return entries.stream()
        .filter(e -> folders.contains(e.folder()) && !matched.contains(e))
        .toList();
  }

  /** Entries for whole files of which every case that ran passed. */
  List<Entry> passedThroughout() {
    return entries.stream()
        .filter(e -> e.wholeFile() && !e.mayPass() && ran.contains(e) && !failed.contains(e))
        .toList();
  }

  record Entry(String fileGlob, String description, String reason) {

    static Entry parse(String line) {
      String[] parts = line.split(" :: ", -1);
      if (parts.length != 3 || parts[2].isBlank()) {
        throw new IllegalArgumentException(
            "not of the form 'folder/file.json :: case :: reason': " + line);
      }
      return new Entry(parts[0].strip(), parts[1].strip(), parts[2].strip());
    }

    boolean wholeFile() {
      return description.equals("*");
    }

    /** Whether it depends on which shard is the first to answer. */
    boolean mayPass() {
      return reason.startsWith("any order");
    }

    String folder() {
      return fileGlob.substring(0, Math.max(0, fileGlob.indexOf('/')));
    }

    boolean covers(String file, String caseDescription) {
      PathMatcher glob = FileSystems.getDefault().getPathMatcher("glob:" + fileGlob);
      return (wholeFile() || description.equals(caseDescription)) && glob.matches(Path.of(file));
    }
  }
}
