package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.base.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The drivers' corpus of valid, degenerate and invalid BSON. It is data beside the repository, not
 * in it; the system property {@code wisent.specTests} says where, and without it nothing runs.
 */
class BsonCorpusTest {
  private static Path corpus() {
    String property = System.getProperty("wisent.specTests");
    if (property != null) {
      return Path.of(property, "bson-corpus");
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path candidate = at.resolve("../shared/spec-tests/bson-corpus");
      if (Files.isDirectory(candidate)) {
        return candidate;
      }
    }
    return Path.of("bson-corpus");
  }

  @TestFactory
  Stream<DynamicNode> corpusFiles() throws IOException {
    Path corpus = corpus();
    assumeTrue(Files.isDirectory(corpus), "no BSON corpus at " + corpus);
    try (Stream<Path> files = Files.list(corpus)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(BsonCorpusTest::container)
          .toList()
          .stream();
    }
  }

  private static DynamicNode container(Path file) {
    BsonDocument cases;
    try {
      cases = BsonDocument.parse(Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
    return DynamicContainer.dynamicContainer(
        file.getFileName().toString(),
        Stream.of(
                tests(cases, "valid", "canonical_bson", BsonCorpusTest::assertAccepted),
                tests(cases, "valid", "degenerate_bson", BsonCorpusTest::assertAccepted),
                tests(cases, "decodeErrors", "bson", BsonCorpusTest::assertRefused))
            .flatMap(tests -> tests));
  }

  private interface Check {
    void run(byte[] bytes);
  }

  private static Stream<DynamicNode> tests(
      BsonDocument cases, String list, String field, Check check) {
    return cases.getArray(list, new BsonArray()).stream()
        .map(BsonValue::asDocument)
        .filter(each -> each.containsKey(field))
        .map(
            each ->
                DynamicTest.dynamicTest(
                    field + ": " + each.getString("description").getValue(),
                    () -> check.run(HexFormat.of().parseHex(each.getString(field).getValue()))));
  }

  private static void assertAccepted(byte[] bytes) {
    assertThat(ValidatedDocuments.checkUsableOrRefused(bytes)).isTrue();
    RawDocument document = RawDocument.of(bytes);
    assertThat(new BsonBuilder().appendAll(document).toDocument().bytes()).isEqualTo(bytes);
    var copy = new BsonBuilder();
    var cursor = document.elements();
    while (cursor.next()) {
      copy.append(cursor.name(), cursor.value().detached());
    }
    assertThat(copy.toDocument().bytes()).isEqualTo(bytes);
  }

  private static void assertRefused(byte[] bytes) {
    assertThatThrownBy(() -> DocumentValidator.validate(bytes, 0, bytes.length, 200))
        .isInstanceOf(CommandException.class);
    assertThat(ValidatedDocuments.checkUsableOrRefused(bytes)).isFalse();
  }
}
