package dev.wisent.conformance.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.changestream.OperationType;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.mongodb.core.ChangeStreamEvent;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import reactor.core.publisher.Flux;

class SpringDataTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static ReplicaSetProcesses set;
  private static AnnotationConfigApplicationContext context;

  private AccountRepository accounts;
  private AccountService service;
  private MongoTemplate template;

  @BeforeAll
  static void start() {
    set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
    context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(
            new MapPropertySource("test", Map.of("bank.uri", set.uri().replace("/?", "/spring?"))));
    context.register(BankConfiguration.class);
    context.refresh();
  }

  @AfterAll
  static void stop() {
    if (context != null) {
      context.close();
    }
    set.close();
  }

  @BeforeEach
  void openAccounts() {
    accounts = context.getBean(AccountRepository.class);
    service = context.getBean(AccountService.class);
    template = context.getBean(MongoTemplate.class);
    template.remove(Entry.class).all();
    accounts.deleteAll();
    accounts.saveAll(List.of(new Account("ada", 100), new Account("ben", 20)));
  }

  private Map<String, Long> cents() {
    return accounts.findAll().stream().collect(Collectors.toMap(Account::id, Account::cents));
  }

  @Test
  void aTransactionalMethodCommits() {
    service.transfer("ada", "ben", 30);

    assertThat(cents()).isEqualTo(Map.of("ada", 70L, "ben", 50L));
    assertThat(template.count(new Query(), Entry.class)).isEqualTo(1);
  }

  @Test
  void aTransactionalMethodThatThrowsHasNoEffect() {
    assertThatThrownBy(() -> service.transfer("ada", "ben", 101))
        .isInstanceOf(IllegalStateException.class);

    assertThat(cents()).isEqualTo(Map.of("ada", 100L, "ben", 20L));
    assertThat(template.findAll(Entry.class)).isEmpty();
  }

  @Test
  void aTransactionalMethodSeesItsOwnWrites() {
    assertThat(service.sumsAroundAnInsert()).containsExactly(120, 1120);
  }

  @Test
  void aReactiveListenerGetsWhatIsCommitted() {
    BsonTimestamp now = set.awaitPrimary().admin("ping").get("operationTime", BsonTimestamp.class);
    service.transfer("ada", "ben", 30);
    assertThatThrownBy(() -> service.transfer("ada", "ben", 1000))
        .isInstanceOf(IllegalStateException.class);
    accounts.deleteById("ada");

    List<ChangeStreamEvent<Account>> events =
        context
            .getBean(ReactiveMongoTemplate.class)
            .changeStream(Account.class)
            .watchCollection("accounts")
            .resumeAt(new BsonTimestamp(now.getTime(), now.getInc() + 1))
            .listen()
            .take(3)
            .collectList()
            .block(PATIENCE);

    assertThat(events)
        .extracting(ChangeStreamEvent::getOperationType)
        .containsExactly(OperationType.REPLACE, OperationType.REPLACE, OperationType.DELETE);
    assertThat(events.subList(0, 2))
        .extracting(ChangeStreamEvent::getBody)
        .containsExactly(new Account("ada", 70), new Account("ben", 50));
    assertThat(events.get(0).getRaw().getTxnNumber())
        .isNotNull()
        .isEqualTo(events.get(1).getRaw().getTxnNumber());
    assertThat(events.get(2).getRaw().getTxnNumber()).isNull();
    assertThat(events)
        .extracting(event -> event.getRaw().getDocumentKey().getString("_id").getValue())
        .containsExactly("ada", "ben", "ada");
  }

  @Test
  void aReactiveListenerGetsWhatComesLater() {
    List<Document> found =
        context
            .getBean(ReactiveMongoTemplate.class)
            .changeStream(Document.class)
            .watchCollection("journal")
            .listen()
            .map(ChangeStreamEvent::getBody)
            // Written again and again: nothing tells when the listener has been opened.
            .mergeWith(
                Flux.interval(Duration.ofMillis(100))
                    .doOnNext(i -> template.insert(new Entry(null, "ada", "ben", i)))
                    .thenMany(Flux.empty()))
            .take(1)
            .collectList()
            .block(PATIENCE);

    assertThat(found)
        .singleElement()
        .satisfies(entry -> assertThat(entry).containsEntry("to", "ben"));
  }
}
