package dev.wisent.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.wisent.conformance.ExpectedFailures.Entry;
import dev.wisent.conformance.SpecFiles.SpecFile;
import dev.wisent.conformance.unified.CaseRunner;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;

/**
 * Folders of the drivers' specification cases, run through the Java driver against one server.
 *
 * <p>Results, errors and outcome are checked. The commands that the driver sends say more about the
 * driver than about the server; they are checked where a suite asks for it.
 */
final class SpecSuite {

  private final ExpectedFailures expectedFailures;
  private final SpecFiles specFiles;
  private final CaseRunner runner;
  private final Tally tally = new Tally();
  private final Set<String> folders = new TreeSet<>();
  private final Set<String> withCommands = new HashSet<>();
  private final Set<String> skipped = new TreeSet<>();

  private SpecSuite(ExpectedFailures expectedFailures, SpecFiles specFiles, CaseRunner runner) {
    this.expectedFailures = expectedFailures;
    this.specFiles = specFiles;
    this.runner = runner;
  }

  /** Skips the test if the cases are not on this machine. */
  static SpecFiles assumeFiles() {
    Optional<SpecFiles> located = SpecFiles.locate();
    Assumptions.assumeTrue(
        located.isPresent(),
        "no specification cases: neither ../shared/spec-tests beside the repository nor -D"
            + SpecFiles.PROPERTY);
    return located.get();
  }

  /**
   * Connects to a server.
   *
   * @param expectedFailures the name of a resource that lists them
   */
  static SpecSuite connect(String uri, SpecFiles files, String expectedFailures) {
    return new SpecSuite(
        ExpectedFailures.fromResource(expectedFailures), files, CaseRunner.connect(uri));
  }

  /**
   * Connects to a router.
   *
   * @param uriOfAll of several routers, for clients that are to use them all
   */
  static SpecSuite connect(String uri, String uriOfAll, SpecFiles files, String expectedFailures) {
    return new SpecSuite(
        ExpectedFailures.fromResource(expectedFailures), files, CaseRunner.connect(uri, uriOfAll));
  }

  /** Connects to the server of this run; see {@link ExpectedFailures#ofRun}. */
  static SpecSuite connect(SpecServer server, SpecFiles files, String expectedFailures) {
    return new SpecSuite(
        ExpectedFailures.ofRun(expectedFailures), files, CaseRunner.connect(server.uri()));
  }

  /** Prints the totals; fails if the list of expected failures is out of date. */
  void finish() {
    runner.close();
    System.out.println(tally.totals());
    assertThat(expectedFailures.passedThroughout())
        .as("unexpected pass: every case of these files passes")
        .isEmpty();
    assertThat(expectedFailures.unmatched(folders))
        .as("expected failures that name no case")
        .isEmpty();
  }

  /**
   * Fails unless exactly the cases of a list were skipped, each with its reason. The lines are as
   * those of expected failures; folders that are not on the list are not looked at.
   *
   * @param resource the name of a resource with the list
   */
  void requireSkipsOf(String resource, String... listedFolders) {
    List<String> prefixes =
        Stream.of(listedFolders).filter(folders::contains).map(folder -> folder + "/").toList();
    Predicate<String> looked = line -> prefixes.stream().anyMatch(line::startsWith);
    assertThat(skipped.stream().filter(looked))
        .as("skipped cases, which %s lists", resource)
        .containsExactlyInAnyOrderElementsOf(
            ExpectedFailures.lines(ExpectedFailures.resource(resource)).stream()
                .filter(looked)
                .toList());
  }

  /** The cases of a folder, with the commands that the driver sends. */
  Stream<DynamicContainer> containersWithCommands(String folder) {
    withCommands.add(folder);
    return containers(folder);
  }

  /** The cases of a folder. */
  Stream<DynamicContainer> containers(String folder) {
    folders.add(folder);
    List<SpecFile> files = specFiles.folder(folder);
    assertThat(files).as("files in %s", folder).isNotEmpty();
    return files.stream()
        .map(
            file ->
                dynamicContainer(
                    file.path(), file.cases().stream().map(test -> dynamic(file, test))));
  }

  private DynamicTest dynamic(SpecFile file, BsonDocument test) {
    return dynamicTest(test.getString("description").getValue(), () -> run(file, test));
  }

  private void run(SpecFile file, BsonDocument test) {
    String description = test.getString("description").getValue();
    Optional<Entry> expected = expectedFailures.find(file.path(), description);
    try {
      runner.run(file.content(), test, withCommands.contains(file.folder()));
    } catch (TestAbortedException skip) {
      tally.skipped(file.folder(), skip.getMessage());
      skipped.add(file.path() + " :: " + description + " :: " + skip.getMessage());
      throw skip;
    } catch (AssertionError | RuntimeException failure) {
      if (expected.isEmpty()) {
        tally.failed(file.folder());
        throw failure;
      }
      tally.failedAsExpected(file.folder());
      expectedFailures.recordFailure(expected.get());
      throw new TestAbortedException("expected failure: " + expected.get().reason(), failure);
    }
    recordPass(file, expected);
  }

  private void recordPass(SpecFile file, Optional<Entry> expected) {
    expected.ifPresent(expectedFailures::recordPass);
    if (expected.isPresent() && !expected.get().wholeFile() && !expected.get().mayPass()) {
      tally.failed(file.folder());
      throw new AssertionError(
          "unexpected pass: remove it from the expected failures ("
              + expected.get().reason()
              + ")");
    }
    tally.passed(file.folder());
  }
}
