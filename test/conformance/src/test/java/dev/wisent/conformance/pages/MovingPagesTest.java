package dev.wisent.conformance.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.page.MarkdownPage;
import dev.wisent.tools.Tools;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages say about moving a deployment: two commands run at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MovingPagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int SOME = 100;
  private static final int COLUMNS = 80;

  private final PageServers servers = new PageServers();

  @AfterAll
  void end() {
    servers.close();
  }

  /** A tool in a thread of its own. */
  private static final class Run {
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
    private final Interruption interruption = new Interruption();
    private final CompletableFuture<Void> ended;

    Run(List<String> words) {
      Tools tool = Tools.find(words.getFirst()).orElseThrow();
      ended =
          CompletableFuture.runAsync(
              () -> {
                try {
                  tool.run(words.subList(1, words.size()), surroundings());
                } catch (ToolException e) {
                  throw new IllegalStateException(e);
                }
              },
              task -> Thread.ofPlatform().start(task));
    }

    private Surroundings surroundings() {
      return new Surroundings(
          InputStream.nullInputStream(),
          new PrintStream(messages, true, StandardCharsets.UTF_8),
          new PrintStream(messages, true, StandardCharsets.UTF_8),
          false,
          COLUMNS,
          Clock.system(),
          BackgroundLoops.silent().scheduler(),
          interruption,
          null,
          "test");
    }

    String messages() {
      return messages.toString(StandardCharsets.UTF_8);
    }

    void awaitMessage(String text) {
      Eventually.holds(
          text, PATIENCE, () -> ended.isCompletedExceptionally() || messages().contains(text));
      assertThat(messages()).contains(text);
    }

    void succeed() {
      assertThat(ended).as(this::messages).succeedsWithin(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private Run start(String command) {
    String text = servers.withRealPorts(command).replaceFirst(" +#.*", "").replace("\"", "");
    List<String> words = new ArrayList<>(Arrays.asList(text.split(" +")));
    assertThat(words.removeFirst()).isIn("wisent", "./wisent");
    return new Run(words);
  }

  private MongoClient connect(String address) {
    return MongoClients.create(servers.withRealPorts("mongodb://" + address));
  }

  private static MongoCollection<Document> orders(MongoClient client) {
    return client.getDatabase("shop").getCollection("orders");
  }

  private static void insert(MongoClient client, int first) {
    orders(client)
        .insertMany(
            IntStream.range(first, first + SOME).mapToObj(i -> new Document("_id", i)).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/tools.md", "docs/coming-from-mongodb.md"})
  void theCommandsMoveADeployment(String path) {
    MarkdownPage page = MarkdownPage.read(path);
    List<String> commands =
        new ArrayList<>(
            page.runBy(MovingPagesTest.class).stream()
                .flatMap(block -> block.commands().stream())
                .toList());
    servers.use(page.remark("servers").orElseThrow());
    try (MongoClient from = connect("old.example.net:27017");
        MongoClient to = connect("new.example.net:27017")) {
      insert(from, 0);
      String finish = commands.removeLast();
      assertThat(finish).contains("migrate --finish");
      String move = commands.removeLast();
      assertThat(commands).singleElement().asString().contains("migrate --check");
      start(commands.getFirst()).succeed();
      assertThat(orders(to).countDocuments()).isZero();

      Run moving = start(move);
      moving.awaitMessage("following the source");
      insert(from, SOME);
      start(finish).succeed();
      moving.succeed();
      assertThat(moving.messages()).contains("the migration is complete");
      assertThat(orders(to).countDocuments()).isEqualTo(2 * SOME);
    }
  }
}
