package dev.wisent.example.social;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocialNetworkTest {
  private static Wisent wisent;
  private static MongoClient client;

  private final MovingClock clock = new MovingClock();
  private MongoDatabase database;
  private SocialNetwork network;

  private static final class MovingClock extends Clock {
    private Instant now = Instant.parse("2026-01-31T12:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @BeforeAll
  static void start() {
    wisent = Wisent.start();
    client = MongoClients.create(wisent.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    wisent.close();
  }

  @BeforeEach
  void people() {
    database = client.getDatabase("social_test");
    database.drop();
    network = new SocialNetwork(database, clock);
    for (String name : List.of("ada", "ben", "cleo", "dan")) {
      network.join(name, name.toUpperCase(java.util.Locale.ROOT));
    }
  }

  private static List<String> texts(List<Document> posts) {
    return posts.stream().map(post -> post.getString("text")).toList();
  }

  @Test
  void publicPostsAreForEverybody() {
    network.follow("ben", "ada");
    network.post("ada", "hello");
    assertThat(texts(network.news("ben"))).containsExactly("hello");
    assertThat(texts(network.news("cleo"))).isEmpty();
    assertThat(texts(network.wall("ada", "cleo"))).containsExactly("hello");
  }

  @Test
  void circlesAreForTheirMembers() {
    network.follow("ben", "ada");
    network.follow("cleo", "ada");
    network.addToCircle("ada", "family", "ben");
    network.addToCircle("ada", "work", "dan");
    network.post("ada", "for family", "family");
    network.post("ada", "for both", "family", "work");
    assertThat(texts(network.news("ben"))).containsExactly("for both", "for family");
    assertThat(network.news("cleo")).isEmpty();
    // Dan does not follow, but may look at the wall.
    assertThat(network.news("dan")).isEmpty();
    assertThat(texts(network.wall("ada", "dan"))).containsExactly("for both");
    assertThat(texts(network.wall("ada", "ada"))).containsExactly("for both", "for family");
  }

  @Test
  void theBlockedSeeNothing() {
    network.follow("ben", "ada");
    network.addToCircle("ada", "family", "ben");
    ObjectId before = network.post("ada", "before");
    network.post("ada", "private", "family");
    network.block("ada", "ben");
    network.follow("ben", "ada");
    network.post("ada", "after");
    assertThat(network.news("ben")).isEmpty();
    assertThat(network.wall("ada", "ben")).isEmpty();
    assertThat(network.comment("ben", before, "me")).isFalse();
  }

  @Test
  void pagesAreByMonth() {
    network.follow("ben", "ada");
    network.post("ada", "in January");
    clock.now = clock.now.plus(Duration.ofDays(1));
    network.post("ada", "in February");
    network.post("ada", "also");
    assertThat(database.getCollection("walls").find().sort(new Document("month", 1)))
        .extracting(
            page -> page.getString("month"), page -> page.getList("posts", Document.class).size())
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("202601", 1),
            org.assertj.core.groups.Tuple.tuple("202602", 2));
    assertThat(texts(network.news("ben"))).containsExactly("also", "in February", "in January");
  }

  @Test
  void copiesCarryTheLastThreeComments() {
    network.follow("ben", "ada");
    ObjectId post = network.post("ada", "what do you think?");
    network.post("ada", "another");
    for (int i = 1; i <= 5; i++) {
      assertThat(network.comment(i % 2 == 0 ? "ben" : "cleo", post, "c" + i)).isTrue();
    }
    Document copy = network.news("ben").getLast();
    assertThat(texts(copy.getList("comments", Document.class))).containsExactly("c3", "c4", "c5");
    assertThat(copy.getInteger("commentCount")).isEqualTo(5);
    assertThat(network.wall("ada", "dan").getLast()).isEqualTo(copy);
    assertThat(network.wall("ada", "dan").getFirst().getInteger("commentCount")).isZero();
    assertThat(texts(network.comments(post))).containsExactly("c1", "c2", "c3", "c4", "c5");
  }

  @Test
  void commentsOnWhatOneMayNotSeeAreRefused() {
    network.addToCircle("ada", "family", "ben");
    ObjectId post = network.post("ada", "for family", "family");
    assertThat(network.comment("cleo", post, "me too")).isFalse();
    assertThat(network.comment("ben", post, "fine")).isTrue();
    assertThat(network.comment("ben", new ObjectId(), "nothing")).isFalse();
  }

  @Test
  void aProfileNeedsAName() {
    MongoWriteException e =
        catchThrowableOfType(MongoWriteException.class, () -> network.join("eve", ""));
    assertThat(e.getCode()).isEqualTo(121);
    assertThat(e.getError().getDetails().toJson()).contains("minLength");
  }

  @Test
  void theSceneIsPlayed() {
    var bytes = new ByteArrayOutputStream();
    SocialNetworkMain.play(database, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .containsIgnoringWhitespaces(
            "Ben's news: ada: Dinner at eight. ada: The engine works. (4 comments, the last 3:"
                + " Comment 2; Comment 3; Comment 4)")
        .containsIgnoringWhitespaces("Cleo's news: ada: The engine works.")
        .endsWith("Cleo's news, after Ada blocked her:" + System.lineSeparator());
  }
}
