package dev.wisent.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.wisent.Wisent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Test classes that {@link WisentExtensionTest} runs; no test runs of themselves. */
final class SampleClasses {
  /** Where the tests of the samples were. */
  static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  private SampleClasses() {}

  private static MongoCollection<Document> orders(MongoClient client) {
    return client.getDatabase("shop").getCollection("orders");
  }

  /** Each test finds no document, and leaves one. */
  @WisentTest
  static class EmptyEachTime {
    @FromWisent private String uri;
    @FromWisent private static MongoClient client;

    @RepeatedTest(3)
    void findsNothing(Wisent wisent, @FromWisent String injected) {
      assertThat(injected).isEqualTo(uri).isEqualTo(wisent.uri());
      SEEN.add(uri);
      assertThat(orders(client).countDocuments()).isZero();
      orders(client).insertOne(new Document());
    }
  }

  @WisentTest(reset = ResetMode.EACH_CLASS)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class FilledOnce {
    @BeforeAll
    static void fill(MongoClient client) {
      orders(client).insertOne(new Document());
    }

    @Test
    @Order(1)
    void findsWhatWasFilledIn(MongoClient client) {
      assertThat(orders(client).countDocuments()).isEqualTo(1);
      orders(client).insertOne(new Document());
    }

    @Test
    @Order(2)
    void findsWhatTheOtherTestLeft(MongoClient client) {
      assertThat(orders(client).countDocuments()).isEqualTo(2);
    }
  }

  /** A test that fails leaves the server usable, and empty, for the next one. */
  @WisentTest
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class OneFails {
    @Test
    @Order(1)
    void fails(MongoClient client) {
      ClientSession unused = client.startSession();
      orders(client).insertOne(new Document());
      throw new AssertionError("meant to fail");
    }

    @Test
    @Order(2)
    void findsNothing(MongoClient client) {
      assertThat(orders(client).countDocuments()).isZero();
    }
  }

  /** A test that stops the servers has the next class get others. */
  @WisentTest
  static class ClosesTheServers {
    @Test
    void closes(Wisent wisent) {
      SEEN.add(wisent.uri());
      wisent.close();
    }
  }

  @WisentTest
  static class Outer {
    @FromWisent private Wisent outer;

    @Test
    void usesItsServer() {
      SEEN.add("outer " + outer.uri());
    }

    @Nested
    class Inner {
      @FromWisent private Wisent inner;

      @Test
      void usesTheServerAround(MongoClient client) {
        assertThat(inner).isSameAs(outer);
        assertThat(orders(client).countDocuments()).isZero();
      }
    }

    @Nested
    @WisentTest(topology = Topology.SET, members = 1)
    class OnASet {
      @FromWisent private Wisent set;

      @Test
      void hasAnotherOne() {
        assertThat(set).isNotSameAs(outer);
        assertThat(set.uri()).contains("replicaSet=");
      }
    }
  }

  @WisentTest
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class OneInstance {
    private final MongoClient client;

    OneInstance(MongoClient client) {
      this.client = client;
    }

    @BeforeAll
    void fill() {
      orders(client).insertOne(new Document());
    }

    @Test
    void findsNothing() {
      assertThat(orders(client).countDocuments()).isZero();
    }
  }

  @WisentTest(shared = false)
  static class ServersOfItsOwn {
    @Test
    void runs(Wisent wisent) {
      SEEN.add(wisent.uri());
    }
  }

  /** Two classes that wait for each other: each has a server for itself. */
  static final CyclicBarrier BOTH = new CyclicBarrier(2);

  static class MeetsAnother {
    @Test
    void meets(MongoClient client, Wisent wisent) throws Exception {
      orders(client).insertOne(new Document());
      BOTH.await(60, TimeUnit.SECONDS);
      assertThat(orders(client).countDocuments()).isEqualTo(1);
      SEEN.add(wisent.uri());
      BOTH.await(60, TimeUnit.SECONDS);
    }
  }

  @WisentTest
  static class First extends MeetsAnother {}

  @WisentTest
  static class Second extends MeetsAnother {}

  /** Methods that JUnit would run at the same time. */
  @WisentTest
  static class ManyMethods {
    @RepeatedTest(4)
    void isAlone(MongoClient client) {
      orders(client).insertOne(new Document());
      assertThat(orders(client).countDocuments()).isEqualTo(1);
    }

    @Test
    void isAloneToo(MongoClient client) {
      isAlone(client);
    }
  }

  @WisentTest(topology = Topology.SET)
  static class OnThreeMembers {
    @Test
    void hasTransactionsAndChangeStreams(MongoClient client) {
      MongoCollection<Document> orders = orders(client);
      try (var stream = orders.watch().cursor();
          ClientSession session = client.startSession()) {
        session.withTransaction(() -> orders.insertOne(session, new Document("_id", 1)));
        assertThat(stream.next().getFullDocument()).containsEntry("_id", 1);
      }
      Document status = client.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1));
      assertThat(status.getList("members", Document.class)).hasSize(3);
    }
  }

  @WisentTest(topology = Topology.CLUSTER, shards = 2)
  static class OnTwoShards {
    @RepeatedTest(2)
    void shards(MongoClient client) {
      client
          .getDatabase("admin")
          .runCommand(
              new Document("shardCollection", "shop.orders")
                  .append("key", new Document("_id", "hashed")));
      assertThat(client.getDatabase("config").getCollection("shards").countDocuments())
          .isEqualTo(2);
      orders(client).insertMany(List.of(new Document(), new Document()));
      assertThat(orders(client).countDocuments()).isEqualTo(2);
    }
  }

  @WisentTest(parameters = "enableTestCommands=true")
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class WithFailPoints {
    @Test
    @Order(1)
    void leavesOneOn(MongoClient client) {
      client
          .getDatabase("admin")
          .runCommand(
              Document.parse(
                  "{configureFailPoint: 'failCommand', mode: 'alwaysOn',"
                      + " data: {failCommands: ['insert'], errorCode: 1}}"));
    }

    @Test
    @Order(2)
    void findsItOff(MongoClient client) {
      orders(client).insertOne(new Document());
    }
  }

  @WisentTest(members = 3)
  static class MembersOfANode {
    @Test
    void isNotRun() {}
  }

  @WisentTest(topology = Topology.SET, members = 9)
  static class TooManyMembers {
    @Test
    void isNotRun() {}
  }

  @WisentTest(parameters = "enableTestCommands")
  static class NoParameter {
    @Test
    void isNotRun() {}
  }

  @WisentTest(parameters = "noSuchParameter=1")
  static class UnknownParameter {
    @Test
    void isNotRun() {}
  }

  @WisentTest
  static class WrongField {
    @FromWisent private int port;

    @Test
    void isNotRun() {
      assertThat(port).isZero();
    }
  }

  /** The connection string without the annotation is for another extension. */
  @WisentTest
  static class BareString {
    @Test
    void isNotRun(String uri) {
      assertThat(uri).isEmpty();
    }
  }
}
