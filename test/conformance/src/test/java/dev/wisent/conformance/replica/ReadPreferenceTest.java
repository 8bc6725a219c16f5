package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where reads go, and what a member answers that may not serve them. */
@ExtendWith(SharedReplicaSet.Extension.class)
class ReadPreferenceTest {

  private static final int DOCUMENTS = 20;
  private static final Duration TIMEOUT = Duration.ofMillis(30_000);

  private final Set<String> asked = new ConcurrentSkipListSet<>();
  private ReplicaSetProcesses set;
  private MongoClient client;
  private MongoCollection<Document> collection;

  @BeforeEach
  void connect(ReplicaSetProcesses shared) {
    set = shared;
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(set.uri()))
                .applyToClusterSettings(b -> b.serverSelectionTimeout(30, TimeUnit.SECONDS))
                .addCommandListener(
                    new CommandListener() {
                      @Override
                      public void commandStarted(CommandStartedEvent event) {
                        if (event.getCommandName().equals("find")) {
                          asked.add(event.getConnectionDescription().getServerAddress().toString());
                        }
                      }
                    })
                .build());
    collection =
        client.getDatabase("reads").getCollection("c").withWriteConcern(new WriteConcern(3));
    collection.drop();
    for (int i = 0; i < DOCUMENTS; i++) {
      collection.insertOne(new Document("_id", i));
    }
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private Set<String> membersAsked(ReadPreference preference) {
    asked.clear();
    for (int i = 0; i < DOCUMENTS; i++) {
      assertThat(collection.withReadPreference(preference).find(new Document("_id", i)).first())
          .isNotNull();
    }
    return asked;
  }

  private Set<String> secondaries() {
    Set<String> addresses = new ConcurrentSkipListSet<>();
    set.secondaries().forEach(member -> addresses.add(member.address()));
    return addresses;
  }

  @Test
  void primaryAndPrimaryPreferredAskThePrimary() {
    String primary = set.awaitPrimary().address();

    assertThat(membersAsked(ReadPreference.primary())).containsExactly(primary);
    assertThat(membersAsked(ReadPreference.primaryPreferred())).containsExactly(primary);
  }

  @Test
  void secondaryAndSecondaryPreferredAskSecondaries() {
    assertThat(membersAsked(ReadPreference.secondary())).isSubsetOf(secondaries());
    assertThat(membersAsked(ReadPreference.secondaryPreferred())).isSubsetOf(secondaries());
  }

  @Test
  void nearestAsksAnyMember() {
    assertThat(membersAsked(ReadPreference.nearest()))
        .isSubsetOf(set.members().stream().map(Member::address).toList());
  }

  @Test
  void tagsChooseAMember() {
    ReadPreference east = ReadPreference.nearest(new TagSet(new Tag("dc", "east")));

    assertThat(membersAsked(east)).containsExactly(set.member(0).address());
  }

  @Test
  void tagsThatNobodyHasFindNobody() {
    MongoClientSettings hasty =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(set.uri()))
            .applyToClusterSettings(b -> b.serverSelectionTimeout(2, TimeUnit.SECONDS))
            .build();
    try (MongoClient other = MongoClients.create(hasty)) {
      MongoCollection<Document> north =
          other
              .getDatabase("reads")
              .getCollection("c")
              .withReadPreference(ReadPreference.nearest(new TagSet(new Tag("dc", "north"))));

      assertThatThrownBy(() -> north.find().first()).isInstanceOf(MongoTimeoutException.class);
    }
  }

  @Test
  void freshSecondariesServeReadsThatLimitStaleness() {
    assertThat(membersAsked(ReadPreference.secondary(90, TimeUnit.SECONDS)))
        .isSubsetOf(secondaries());
  }

  @Test
  void everyReadConcernIsServed() {
    for (ReadConcern concern :
        new ReadConcern[] {
          ReadConcern.LOCAL, ReadConcern.AVAILABLE, ReadConcern.MAJORITY, ReadConcern.LINEARIZABLE
        }) {
      assertThat(collection.withReadConcern(concern).find(new Document("_id", 1)).first())
          .as(concern.toString())
          .isNotNull();
    }
  }

  @Test
  void aSecondaryServesNoLinearizableReads() {
    MongoCollection<Document> linearizable =
        collection
            .withReadPreference(ReadPreference.secondary())
            .withReadConcern(ReadConcern.LINEARIZABLE);

    assertThatThrownBy(() -> linearizable.find().first())
        .isInstanceOfSatisfying(
            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(10107));
  }

  @Test
  void aSecondaryRefusesReadsThatWantThePrimary() {
    Member secondary = set.secondaries().getFirst();
    int port = secondary.options().port();
    // Without a driver: on a direct connection it allows secondaries by itself.
    try (var direct =
        new PooledNodeClient(
            NodeClientOptions.plain("direct"), Clock.system(), BackgroundLoops.silent())) {
      BsonDocument reply =
          direct
              .call(
                  new HostAndPort(secondary.options().host().address(), port),
                  NodeRequest.of("reads", RawDocument.parse("{find: 'c'}"), TIMEOUT))
              .join()
              .toBsonDocument();

      assertThat(reply.getNumber("code").intValue()).as(reply.toJson()).isEqualTo(13435);
    }
  }

  @Test
  void aSecondaryRefusesWrites() {
    Member secondary = set.secondaries().getFirst();
    Document insert =
        new Document("insert", "c").append("documents", java.util.List.of(new Document()));

    assertThatThrownBy(() -> secondary.direct().getDatabase("reads").runCommand(insert))
        .isInstanceOfSatisfying(
            MongoException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(10107);
              assertThat(e.hasErrorLabel("RetryableWriteError")).isFalse();
            });
  }
}
