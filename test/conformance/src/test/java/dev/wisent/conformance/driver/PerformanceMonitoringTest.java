package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Indexes.ascending;
import static dev.wisent.conformance.driver.DriverFixture.inAnyOrderOnShards;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Ten hosts report a value every ten minutes; the samples are asked for by host, by date, by both,
 * and counted by host and day, and explain tells how much was read for it.
 */
@ExtendWith(DriverFixture.Extension.class)
class PerformanceMonitoringTest {

  private static final int HOSTS = 10;
  private static final int TIMES = 2000;
  private static final int BATCH = 1000;
  private static final int SAMPLES_A_DAY = 24 * 6;
  private static final Instant START = Instant.parse("2024-03-01T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(10);

  private static final Bson HOST = ascending("Host");
  private static final Bson DATE = ascending("GeneratedOn");
  private static final Bson HOST_DATE = ascending("Host", "GeneratedOn");
  private static final Bson DATE_HOST = ascending("GeneratedOn", "Host");

  private MongoCollection<Document> samples;

  @BeforeEach
  void insertInBatches(DriverFixture fixture) {
    samples = fixture.collection("samples");
    List<Document> batch = new ArrayList<>();
    for (int i = 0; i < HOSTS * TIMES; i++) {
      batch.add(
          new Document("_id", i)
              .append("Host", host(i % HOSTS))
              .append("GeneratedOn", time(i / HOSTS))
              .append("ParameterName", "cpu.user")
              .append("Value", i % 100 / 4.0));
      if (batch.size() == BATCH) {
        samples.insertMany(batch, inAnyOrderOnShards());
        batch.clear();
      }
    }
  }

  @Test
  void withoutAnIndexEverythingIsRead() {
    Document explained = explain(eq("Host", host(3)));

    assertThat(winningPlan(explained)).containsEntry("stage", "COLLSCAN");
    assertExamined(explained, TIMES, 0, HOSTS * TIMES);
    assertThat(rejectedPlans(explained)).isEmpty();
  }

  @Test
  void byHost() {
    samples.createIndex(HOST);
    Bson filter = eq("Host", host(3));

    assertThat(found(filter)).hasSize(TIMES).allMatch(d -> d.getString("Host").equals(host(3)));
    Document explained = explain(filter);
    assertIndexScan(explained, "Host_1");
    assertExamined(explained, TIMES, TIMES, TIMES);
    assertThat(rejectedPlans(explained)).isEmpty();
  }

  @Test
  void byDateRange() {
    samples.createIndex(DATE);
    Bson filter = between(100, 160);

    assertThat(found(filter)).hasSize(60 * HOSTS);
    Document explained = explain(filter);
    assertIndexScan(explained, "GeneratedOn_1");
    assertThat(scan(explained).get("indexBounds", Document.class))
        .isEqualTo(
            new Document(
                "GeneratedOn",
                List.of(
                    "[new Date(%d), new Date(%d))"
                        .formatted(time(100).getTime(), time(160).getTime()))));
    assertExamined(explained, 60 * HOSTS, 60 * HOSTS, 60 * HOSTS);
  }

  @Test
  void byHostAndDateRangeWithTheHostFirst() {
    samples.createIndex(HOST_DATE);
    Bson filter = and(eq("Host", host(3)), between(100, 160));

    assertThat(found(filter)).hasSize(60);
    Document explained = explain(filter);
    assertIndexScan(explained, "Host_1_GeneratedOn_1");
    assertThat(scan(explained).get("indexBounds", Document.class))
        .containsEntry("Host", List.of("[\"host-3\", \"host-3\"]"));
    assertExamined(explained, 60, 60, 60);
  }

  /**
   * The other way round the keys of a host lie apart: the scan skips from one to the next, and each
   * time sees the key behind the one it wants and the first of the next date.
   */
  @Test
  void byHostAndDateRangeWithTheDateFirst() {
    samples.createIndex(DATE_HOST);
    Bson filter = and(eq("Host", host(3)), between(100, 160));

    assertThat(found(filter)).hasSize(60);
    Document explained = explain(filter);
    assertIndexScan(explained, "GeneratedOn_1_Host_1");
    assertExamined(explained, 60, 3 * 60, 60);
  }

  @Test
  void theBestOfSeveralIndexesWins() {
    samples.createIndex(DATE_HOST);
    samples.createIndex(HOST);
    samples.createIndex(DATE);
    samples.createIndex(HOST_DATE);
    Bson filter = and(eq("Host", host(3)), between(100, 160));

    Document explained = explain(filter);

    assertIndexScan(explained, "Host_1_GeneratedOn_1");
    assertExamined(explained, 60, 60, 60);
    assertThat(rejectedPlans(explained))
        .extracting(plan -> plan.get("inputStage", Document.class).getString("indexName"))
        .containsExactlyInAnyOrder("GeneratedOn_1_Host_1", "Host_1", "GeneratedOn_1");
    List<Document> tried = Plans.tried(explained);
    assertThat(tried).hasSize(4);
    assertThat(tried)
        .allSatisfy(
            plan ->
                assertThat(plan)
                    .containsKeys(
                        "nReturned", "totalKeysExamined", "totalDocsExamined", "executionStages"));
  }

  @Test
  void countsByHostAndDay(DriverFixture fixture) {
    samples.createIndex(HOST_DATE);
    int days = (TIMES - 1) / SAMPLES_A_DAY + 1;
    long total = 0;
    for (int host = 0; host < HOSTS; host++) {
      for (int day = 0; day < days; day++) {
        int first = day * SAMPLES_A_DAY;
        long counted = count(fixture, dayOf(host, day)).get("n", Number.class).longValue();
        assertThat(counted).isEqualTo(Math.min(SAMPLES_A_DAY, TIMES - first));
        total += counted;
      }
    }
    assertThat(total).isEqualTo(HOSTS * TIMES);
    assertThat(samples.countDocuments(dayOf(2, 1))).isEqualTo(SAMPLES_A_DAY);
  }

  @Test
  void countsAreTakenFromTheIndex(DriverFixture fixture) {
    samples.createIndex(HOST_DATE);

    Document explained =
        fixture
            .database()
            .runCommand(
                new Document("explain", countCommand(dayOf(2, 1)))
                    .append("verbosity", "executionStats"));

    Document plan = winningPlan(explained);
    assertThat(plan).containsEntry("stage", "COUNT");
    assertThat(plan.get("inputStage", Document.class))
        .containsEntry("stage", "COUNT_SCAN")
        .containsEntry("indexName", "Host_1_GeneratedOn_1");
    Document stats = explained.get("executionStats", Document.class);
    assertThat(stats.get("totalDocsExamined", Number.class).intValue()).isZero();
    // The end is noticed by one look more.
    assertThat(stats.get("totalKeysExamined", Number.class).intValue())
        .isEqualTo(SAMPLES_A_DAY + 1);
  }

  @Test
  void hostsAreReadFromTheIndexByJumps(DriverFixture fixture) {
    samples.createIndex(HOST_DATE);

    assertThat(samples.distinct("Host", String.class).into(new ArrayList<>())).hasSize(HOSTS);
    Document explained =
        fixture
            .database()
            .runCommand(
                new Document("explain", new Document("distinct", "samples").append("key", "Host"))
                    .append("verbosity", "executionStats"));
    assertThat(Plans.stages(winningPlan(explained))).contains("DISTINCT_SCAN");
    assertThat(
            explained
                .get("executionStats", Document.class)
                .get("totalKeysExamined", Number.class)
                .intValue())
        .isEqualTo(HOSTS);
  }

  @Test
  void aHostsLatestSamplesNeedNoSort() {
    samples.createIndex(HOST_DATE);

    Document explained =
        samples
            .find(eq("Host", host(7)))
            .sort(new Document("GeneratedOn", -1))
            .limit(20)
            .explain(ExplainVerbosity.ALL_PLANS_EXECUTIONS);

    assertThat(Plans.stages(winningPlan(explained))).containsExactly("LIMIT", "FETCH", "IXSCAN");
    assertThat(scan(explained)).containsEntry("direction", "backward");
    assertExamined(explained, 20, 20, 20);
  }

  private List<Document> found(Bson filter) {
    return samples.find(filter).into(new ArrayList<>());
  }

  private Document explain(Bson filter) {
    return samples.find(filter).explain(ExplainVerbosity.ALL_PLANS_EXECUTIONS);
  }

  private static Document winningPlan(Document explained) {
    return Plans.winner(explained);
  }

  private static List<Document> rejectedPlans(Document explained) {
    return Plans.rejected(explained);
  }

  private static Document scan(Document explained) {
    return Plans.scan(winningPlan(explained));
  }

  private static void assertIndexScan(Document explained, String index) {
    assertThat(Plans.stages(winningPlan(explained))).containsExactly("FETCH", "IXSCAN");
    assertThat(scan(explained))
        .containsEntry("indexName", index)
        .containsEntry("isMultiKey", false)
        .containsEntry("direction", "forward");
  }

  private static void assertExamined(Document explained, int returned, int keys, int documents) {
    Document stats = explained.get("executionStats", Document.class);
    assertThat(Plans.runs(explained)).allMatch(run -> run.getBoolean("executionSuccess"));
    assertThat(stats.get("nReturned", Number.class).intValue()).isEqualTo(returned);
    assertThat(stats.get("totalKeysExamined", Number.class).intValue()).isEqualTo(keys);
    assertThat(stats.get("totalDocsExamined", Number.class).intValue()).isEqualTo(documents);
  }

  private static Document count(DriverFixture fixture, Bson filter) {
    return fixture.database().runCommand(countCommand(filter));
  }

  private static Document countCommand(Bson filter) {
    return new Document("count", "samples").append("query", filter.toBsonDocument());
  }

  private static Bson dayOf(int host, int day) {
    int first = day * SAMPLES_A_DAY;
    return and(eq("Host", host(host)), between(first, first + SAMPLES_A_DAY));
  }

  private static Bson between(int from, int to) {
    return and(gte("GeneratedOn", time(from)), lt("GeneratedOn", time(to)));
  }

  private static String host(int number) {
    return "host-" + number;
  }

  private static Date time(int number) {
    return Date.from(START.plus(STEP.multipliedBy(number)));
  }
}
