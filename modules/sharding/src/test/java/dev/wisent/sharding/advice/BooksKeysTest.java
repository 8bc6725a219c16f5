package dev.wisent.sharding.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.advice.AdviceSettings.Priority;
import dev.wisent.sharding.advice.Finding.Subject;
import dev.wisent.sharding.advice.Finding.Weight;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import dev.wisent.sharding.advice.Verdict.Grade;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** The shard keys that books discuss, and what they say of them. */
class BooksKeysTest {
  private static final int DOCUMENTS = 12_000;
  private static final int MONTHS = 12;
  private static final long MONTH_SECONDS = 30 * 24 * 3_600L;
  private static final long START_SECONDS = 1_767_225_600L;
  private static final AdviceSettings LARGE =
      new AdviceSettings(4, 128L << 20, 16L << 30, 1_000_000_000, 500, 3_000_000, Priority.LATENCY);
  private static final AdviceSettings SMALL =
      new AdviceSettings(4, 128L << 20, 16L << 30, 10_000_000, 500, 30_000, Priority.LATENCY);

  private static final List<RawDocument> MESSAGES = messages();

  /** Messages of a year, in the order in which they were sent. */
  private static List<RawDocument> messages() {
    var random = new Random(7);
    var messages = new ArrayList<RawDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      long seconds = START_SECONDS + MONTHS * MONTH_SECONDS * i / DOCUMENTS;
      int month = (int) ((seconds - START_SECONDS) / MONTH_SECONDS);
      int host = random.nextInt(60);
      messages.add(
          new BsonBuilder()
              .appendObjectId("_id", new ObjectId((int) seconds, i))
              .appendString("continent", "continent" + random.nextInt(7))
              .appendDate("sentAt", seconds * 1_000)
              .appendString("md5", new UUID(random.nextLong(), random.nextLong()).toString())
              .appendString("month", "2026-%02d".formatted(month + 1))
              .appendString("user", "user" + random.nextInt(3_000))
              .appendString("host", "host" + host)
              .appendInt64("ssk", i)
              .toDocument());
    }
    return messages;
  }

  private static CandidateReport judge(
      String key, AdviceSettings settings, List<SampledQuery> queries) {
    return new Advisor(MESSAGES, queries, settings)
        .judge(CandidateKey.given(RawDocument.parse(key)));
  }

  private static CandidateReport judge(String key) {
    return judge(key, LARGE, List.of());
  }

  private static Finding about(CandidateReport report, Subject subject) {
    Finding finding = report.verdict().about(subject);
    assertThat(finding).as(report.verdict().toString()).isNotNull();
    return finding;
  }

  private static List<SampledQuery> queries(String filter, int count) {
    var queries = new ArrayList<SampledQuery>();
    for (int i = 0; i < count; i++) {
      RawDocument sent = MESSAGES.get(i * 7_919 % DOCUMENTS);
      String text =
          filter
              .replace("USER", sent.get("user").asString())
              .replace("MONTH", sent.get("month").asString())
              .replace("ID", sent.get("_id").asObjectId().toHexString());
      queries.add(SampledQuery.read(Kind.FIND, RawDocument.parse(text)));
    }
    return queries;
  }

  @Test
  void aContinentHasFewValues() {
    CandidateReport report = judge("{continent: 1}");
    assertThat(report.verdict().grade()).isEqualTo(Grade.BAD);
    assertThat(about(report, Subject.CARDINALITY).weight()).isEqualTo(Weight.BAD);
    assertThat(about(report, Subject.CARDINALITY).text()).contains("few values: 7");
    assertThat(about(report, Subject.JUMBO).weight()).isEqualTo(Weight.BAD);
    assertThat(report.figures().chunksAfterMonth()).isEqualTo(7);
  }

  @Test
  void anEighthShardHasNothingToDoWithSevenContinents() {
    var settings =
        new AdviceSettings(8, 128L << 20, 16L << 30, 1_000_000, 500, 0, Priority.LATENCY);
    CandidateReport report = judge("{continent: 1}", settings, List.of());
    assertThat(about(report, Subject.CARDINALITY).text())
        .contains("1 of 8 shards would have nothing to do");
  }

  @Test
  void aTimeSendsAllInsertsToOneShard() {
    for (String key : List.of("{sentAt: 1}", "{_id: 1}", "{ssk: 1}")) {
      CandidateReport report = judge(key);
      assertThat(report.verdict().grade()).as(key).isEqualTo(Grade.BAD);
      assertThat(about(report, Subject.INSERTS).weight()).isEqualTo(Weight.BAD);
      assertThat(about(report, Subject.INSERTS).text()).contains("ascending");
      assertThat(report.figures().busiestShare()).isGreaterThan(0.95);
      assertThat(report.figures().warmShare()).isLessThan(0.2);
    }
  }

  @Test
  void aDigestSpreadsInsertsAndHasNoLocality() {
    CandidateReport report = judge("{md5: 1}");
    assertThat(about(report, Subject.INSERTS).weight()).isEqualTo(Weight.GOOD);
    assertThat(report.figures().busiestShare()).isLessThan(0.35);
    assertThat(about(report, Subject.LOCALITY).weight()).isEqualTo(Weight.WARNING);
    assertThat(report.figures().warmShare()).isGreaterThan(0.7);
    assertThat(report.verdict().grade()).isEqualTo(Grade.USABLE);
  }

  @Test
  void localityDoesNotMatterForWhatFitsIntoMemory() {
    CandidateReport report = judge("{md5: 1}", SMALL, List.of());
    assertThat(about(report, Subject.LOCALITY).weight()).isEqualTo(Weight.NOTE);
    assertThat(report.verdict().grade()).isEqualTo(Grade.GOOD);
  }

  @Test
  void aMonthAndAUserAreGood() {
    CandidateReport report =
        judge("{month: 1, user: 1}", LARGE, queries("{month: 'MONTH', user: 'USER'}", 500));
    assertThat(report.verdict().grade()).as(report.verdict().toString()).isEqualTo(Grade.GOOD);
    assertThat(report.figures().busiestShare()).isLessThan(0.7);
    assertThat(report.figures().warmShare()).isLessThan(0.35);
    assertThat(report.figures().queries().oneShardShare()).isEqualTo(1);
  }

  @Test
  void aHostHasChunksThatCannotBeSplit() {
    CandidateReport report = judge("{host: 1}");
    assertThat(report.verdict().grade()).isEqualTo(Grade.BAD);
    assertThat(about(report, Subject.JUMBO).weight()).isEqualTo(Weight.BAD);
  }

  @Test
  void aHashedIdIsGoodForLookUps() {
    CandidateReport report = judge("{_id: 'hashed'}", SMALL, queries("{_id: {$oid: 'ID'}}", 300));
    assertThat(report.verdict().grade()).isEqualTo(Grade.GOOD);
    assertThat(report.figures().queries().oneShardShare()).isEqualTo(1);
    assertThat(report.figures().busiestShare()).isLessThan(0.35);
    assertThat(report.verdict().findings())
        .anySatisfy(finding -> assertThat(finding.text()).contains("ranges of it go to all"));
  }

  @Test
  void aHashedIdIsBadForRanges() {
    CandidateReport report =
        judge("{_id: 'hashed'}", SMALL, queries("{_id: {$gt: {$oid: 'ID'}}}", 300));
    assertThat(report.figures().queries().allShardsShare()).isEqualTo(1);
    assertThat(report.verdict().grade()).isEqualTo(Grade.BAD);
  }

  @Test
  void aHostAndSomethingThatGrowsHaveManyHotspots() {
    CandidateReport report = judge("{host: 1, ssk: 1}");
    assertThat(report.verdict().grade()).as(report.verdict().toString()).isEqualTo(Grade.GOOD);
    assertThat(report.figures().busiestShare()).isLessThan(0.5);
    assertThat(report.figures().warmShare()).isLessThan(0.6);
  }

  @Test
  void goodKeysAreFound() {
    List<SampledQuery> queries = queries("{user: 'USER', month: 'MONTH'}", 200);
    List<CandidateKey> found = new CandidateFinder(MESSAGES, queries, LARGE).candidates();
    assertThat(found)
        .extracting(CandidateKey::text)
        .contains("{month: 1, user: 1}", "{_id: 'hashed'}", "{host: 1, sentAt: 1}");
    CandidateReport best = new Advisor(MESSAGES, queries, LARGE).judge(found).getFirst();
    assertThat(best.verdict().grade()).isEqualTo(Grade.GOOD);
    assertThat(best.key().text()).isEqualTo("{month: 1, user: 1}");
  }

  @Test
  void aMonthIsMadeFromADate() {
    List<RawDocument> without =
        MESSAGES.stream().map(message -> message.without(Set.of("month"))).toList();
    List<SampledQuery> queries = queries("{user: 'USER'}", 200);
    CandidateKey found = new CandidateFinder(without, queries, LARGE).candidates().getFirst();
    assertThat(found.text()).isEqualTo("{sentAtMonth: 1, user: 1}");
    assertThat(found.months()).isEqualTo("sentAt");
    CandidateReport report = new Advisor(without, queries, LARGE).judge(found);
    assertThat(report.figures().missing()).isZero();
    assertThat(about(report, Subject.FIELDS).text()).contains("new field sentAtMonth");
  }

  @Test
  void anArrayIsNoShardKey() {
    var documents = new ArrayList<>(MESSAGES.subList(0, 100));
    documents.add(RawDocument.parse("{_id: 1, user: ['a', 'b']}"));
    CandidateReport report =
        new Advisor(documents, List.of(), SMALL)
            .judge(CandidateKey.given(RawDocument.parse("{user: 1}")));
    assertThat(report.figures().arrays()).isEqualTo(1);
    assertThat(report.verdict().grade()).isEqualTo(Grade.BAD);
  }

  @Test
  void oneDocumentIsJudgedToo() {
    CandidateReport report =
        new Advisor(MESSAGES.subList(0, 1), List.of(), SMALL)
            .judge(CandidateKey.given(RawDocument.parse("{user: 1}")));
    assertThat(report.figures().sampled()).isEqualTo(1);
    assertThat(new CandidateFinder(MESSAGES.subList(0, 1), List.of(), SMALL).candidates())
        .isNotEmpty();
  }
}
