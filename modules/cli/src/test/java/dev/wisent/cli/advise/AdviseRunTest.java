package dev.wisent.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.Wisent;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.advice.SampledQuery;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way: flags, a server, a table and a page. */
class AdviseRunTest {
  private static final int DOCUMENTS = 4_000;
  private static final int BATCH = 1_000;
  private static final int START_SECONDS = 1_767_225_600;
  private static final int STEP_SECONDS = 7_000;

  private static Wisent set;

  @TempDir Path directory;

  /** Posts of most of a year, and queries of users that were sampled. */
  @BeforeAll
  static void fill() throws AdviseException {
    set = Wisent.replicaSet(1);
    try (Deployment deployment = Deployment.connect(set.uri(), RandomSource.system())) {
      for (int first = 0; first < DOCUMENTS; first += BATCH) {
        deployment.call("blog", posts(first));
      }
      configure(deployment, "mode: 'full', samplesPerSecond: 50");
      for (int i = 0; i < 30; i++) {
        deployment.call(
            "blog",
            RawDocument.parse("{find: 'posts', filter: {user: 'user%d'}}".formatted(i * 17)));
      }
      configure(deployment, "mode: 'off'");
    }
  }

  private static void configure(Deployment deployment, String how) throws AdviseException {
    deployment.call(
        "admin", RawDocument.parse("{configureQueryAnalyzer: 'blog.posts', " + how + "}"));
  }

  private static RawDocument posts(int first) {
    var insert = new BsonBuilder().appendString("insert", "posts").startArray("documents");
    for (int i = 0; i < BATCH; i++) {
      int number = first + i;
      insert.startDocument(i);
      insert.appendObjectId("_id", new ObjectId(START_SECONDS + number * STEP_SECONDS, number));
      insert.appendString("user", "user" + number * 7_919L % 600);
      insert.appendString("text", "<b>&").end();
    }
    return insert.end().toDocument();
  }

  @AfterAll
  static void stop() {
    set.close();
  }

  private static String advise(String... more) throws AdviseException {
    var arguments = new ArrayList<>(List.of("--uri", set.uri(), "--ns", "blog.posts"));
    arguments.addAll(List.of(more));
    var out = new ByteArrayOutputStream();
    new AdviseRun(
            AdviseSettings.parse(arguments),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            RandomSource.system())
        .run();
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String lineOf(String key, String output) {
    return output.lines().filter(line -> line.strip().startsWith(key + " ")).findFirst().orElse("");
  }

  @Test
  void theTableHasGivenAndFoundKeys() throws AdviseException {
    String output = advise("--key", "{text: 1}", "--peakInserts", "1000");
    assertThat(output)
        .contains("4000 documents of")
        .contains("by: _id")
        .contains("30 queries from config.sampledQueries")
        .contains("less than a chunk for each shard");
    assertThat(lineOf("{text: 1}", output)).contains(" bad ");
    assertThat(lineOf("{user: 1}", output)).contains(" good ", "100 %");
    assertThat(lineOf("{month: 1, user: 1}", output)).contains("100 %");
    assertThat(lineOf("{_id: 1}", output)).contains(" bad ");
    assertThat(output)
        .contains("ascending: the key follows the time of insertion")
        .contains("100 % of the queries go to all shards, and 0 % to one")
        .contains("documents need a new field month with the month of _id")
        .contains("inserts in a second");
  }

  @Test
  void thePageStandsAlone() throws AdviseException, IOException {
    Path file = directory.resolve("advice.html");
    String output = advise("--key", "{'a<b': 1}", "--html", file.toString());
    assertThat(output).contains("With pictures: " + file);
    String page = Files.readString(file);
    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .contains("<svg ", "{month: 1, user: 1}", "a&lt;b")
        .doesNotContain("a<b")
        .doesNotContain("http://", "https://", "<script", "NaN");
  }

  @Test
  void aClusterShowsWhereTheDataIs() throws AdviseException, IOException {
    Path file = directory.resolve("cluster.html");
    String output;
    try (Wisent cluster = Wisent.cluster(2)) {
      try (Deployment deployment = Deployment.connect(cluster.uri(), RandomSource.system())) {
        deployment.call(
            "admin", RawDocument.parse("{shardCollection: 'blog.posts', key: {user: 'hashed'}}"));
        deployment.call("blog", posts(0));
      }
      output = advise("--uri", cluster.uri(), "--html", file.toString());
    }
    assertThat(output).contains("now sharded by { user: \"hashed\" }");
    assertThat(lineOf("shard0", output)).containsPattern("\\d+ %  .* documents, \\d+ chunks");
    assertThat(lineOf("shard1", output)).containsPattern("\\d+ %  .* documents, \\d+ chunks");
    assertThat(Files.readString(file))
        .contains("aria-label=\"data by shard\"", "shard1")
        .doesNotContain("NaN");
  }

  @Test
  void whatCannotBeReadIsSaid() {
    assertThatThrownBy(() -> advise("--ns", "blog.nothing"))
        .hasMessageContaining("blog.nothing has no documents");
    assertThatThrownBy(() -> advise("--uri", "mongodb://localhost:1"))
        .hasMessageContaining("localhost:1 does not answer");
  }

  @Test
  void profilesHaveQueriesToo() {
    assertThat(
            Workload.ofProfile(
                RawDocument.parse("{op: 'query', command: {find: 'c', filter: {a: 1}}}")))
        .containsExactly(SampledQuery.read(Kind.FIND, RawDocument.parse("{a: 1}")));
    assertThat(
            Workload.ofProfile(
                RawDocument.parse("{op: 'update', command: {q: {a: 1}, u: {b: 1}, multi: true}}")))
        .containsExactly(SampledQuery.write(Kind.UPDATE, RawDocument.parse("{a: 1}"), true));
    assertThat(
            Workload.ofProfile(RawDocument.parse("{op: 'remove', command: {q: {a: 1}, limit: 1}}")))
        .containsExactly(SampledQuery.write(Kind.DELETE, RawDocument.parse("{a: 1}"), false));
    assertThat(
            Workload.ofProfile(
                RawDocument.parse(
                    "{op: 'command', command: {aggregate: 'c', pipeline: [{$match: {a: 1}}]}}")))
        .containsExactly(SampledQuery.read(Kind.AGGREGATE, RawDocument.parse("{a: 1}")));
    assertThat(Workload.ofProfile(RawDocument.parse("{op: 'insert', command: {insert: 'c'}}")))
        .isEmpty();
  }
}
