package dev.wisent.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.wisent.conformance.ExpectedFailures.Entry;
import dev.wisent.conformance.SpecFiles.SpecFile;
import dev.wisent.conformance.unified.CaseRunner;
import dev.wisent.testkit.TestServer;
import dev.wisent.testkit.TestServers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * The drivers' specification cases, run through the Java driver.
 *
 * <p>Results, errors and outcome are checked. The commands that the driver sends are not: they say
 * something about the driver, not about the server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnifiedSpecTest {

  private final ExpectedFailures expectedFailures =
      ExpectedFailures.fromResource("/expected-failures.txt");
  private final Tally tally = new Tally();
  private final Set<String> folders = new TreeSet<>();
  private SpecFiles specFiles;
  private TestServer server;
  private CaseRunner runner;

  @BeforeAll
  void startServer(@TempDir Path directory) {
    Optional<SpecFiles> located = SpecFiles.locate();
    Assumptions.assumeTrue(
        located.isPresent(),
        "no specification cases: neither ../shared/spec-tests beside the repository nor -D"
            + SpecFiles.PROPERTY);
    specFiles = located.get();
    server = TestServers.start(directory);
    runner = CaseRunner.connect(server.uri());
  }

  @AfterAll
  void reportTotals() {
    if (runner != null) {
      runner.close();
    }
    if (server != null) {
      server.close();
    }
    System.out.println(tally.totals());
    assertThat(expectedFailures.passedThroughout())
        .as("unexpected pass: every case of these files passes")
        .isEmpty();
    assertThat(expectedFailures.unmatched(folders))
        .as("expected failures that name no case")
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicContainer> crud() {
    return containers("crud");
  }

  @TestFactory
  Stream<DynamicContainer> collectionManagement() {
    return containers("collection-management");
  }

  @TestFactory
  Stream<DynamicContainer> indexManagement() {
    return containers("index-management");
  }

  @TestFactory
  Stream<DynamicContainer> runCommand() {
    return containers("run-command");
  }

  private Stream<DynamicContainer> containers(String folder) {
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
      runner.run(file.content(), test);
    } catch (TestAbortedException skip) {
      tally.skipped(file.folder(), skip.getMessage());
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
    if (expected.isPresent() && !expected.get().wholeFile()) {
      tally.failed(file.folder());
      throw new AssertionError(
          "unexpected pass: remove it from expected-failures.txt ("
              + expected.get().reason()
              + ")");
    }
    tally.passed(file.folder());
  }
}
