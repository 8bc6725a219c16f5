package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.tools.SampleData;
import dev.wisent.tools.backup.RestoredServers.Member;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members come back, and sets begin anew, as {@code docs/operations.md} says; with users. */
class RestoredSetTest {
  private static final int SOME = 200;
  private static final String SET = "rs0";

  @TempDir Path directory;

  private RestoredServers servers;
  private Backups backups;
  private EmbeddedSet set;
  private MongoClient client;

  @BeforeEach
  void begin() throws IOException {
    servers = new RestoredServers(directory);
    backups = new Backups(directory.resolve("backups"));
  }

  /** A set with documents and a user, which has been backed up. */
  private void start(int members) throws ToolException {
    set =
        servers.add(
            EmbeddedSet.start(
                SET,
                members,
                directory,
                // Not a port of the system's choice: they have to be free again later.
                options -> servers.closed(options.port(FreePort.find()))));
    RestoredServers.createUser(set.uri());
    client = servers.connect(set.uri());
    insert(client, 0, members);
    client.getDatabase("test").getCollection("c").createIndex(new Document("n", 1));
    backups.make(RestoredServers.withUser(set.uri()));
  }

  @AfterEach
  void stop() throws Exception {
    servers.close();
  }

  private static MongoCollection<Document> collection(MongoClient client, int members) {
    return client
        .getDatabase("test")
        .getCollection("c")
        .withWriteConcern(
            new WriteConcern(members)
                .withWTimeout(RestoredServers.PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  private static void insert(MongoClient client, int first, int members) {
    collection(client, members)
        .insertMany(
            IntStream.range(first, first + SOME)
                .mapToObj(i -> new Document("_id", i).append("n", -i))
                .toList());
  }

  private Path dbPath(int number) {
    return directory.resolve(SET + "-" + number);
  }

  private void restore(int number) throws ToolException {
    backups.run("restore", "DIR", "--dbpath", dbPath(number).toString());
  }

  /** Numbers of members, the primary last. */
  private List<Integer> secondariesFirst() {
    String primary =
        client.getDatabase("admin").runCommand(new Document("hello", 1)).getString("primary");
    List<EmbeddedNode> members = set.members();
    return IntStream.range(0, members.size())
        .boxed()
        .sorted(
            (a, b) ->
                Boolean.compare(
                    members.get(a).address().equals(primary),
                    members.get(b).address().equals(primary)))
        .toList();
  }

  private static void assertThatTheyAreEqual(Member... members) {
    Document first = SampleData.hash(members[0].client(), "test");
    for (Member member : members) {
      assertThat(SampleData.hash(member.client(), "test")).isEqualTo(first);
      Backups.validate(member.client(), "test");
    }
  }

  @Test
  void membersThatAreLostKeepTheDataOfTheBackup() throws ToolException, IOException {
    start(3);
    List<Integer> numbers = secondariesFirst();
    int lost = numbers.get(0);
    int gone = numbers.get(1);
    insert(client, SOME, 3);

    // Its disk is gone, and there is a backup.
    int port = set.members().get(lost).port();
    set.members().get(lost).close();
    DirectoryTree.delete(dbPath(lost));
    restore(lost);
    Member back = servers.start(SET, dbPath(lost), port);
    back.awaitSecondary();
    back.assertThatItKeptItsData();

    // Its machine is gone.
    EmbeddedNode machine = set.members().get(gone);
    machine.close();
    restore(3);
    Member elsewhere = servers.start(SET, dbPath(3), FreePort.find());
    RestoredServers.reconfigure(
        client,
        members -> members.removeIf(each -> machine.address().equals(each.getString("host"))));
    RestoredServers.add(client, 3, elsewhere);
    elsewhere.awaitSecondary();
    elsewhere.assertThatItKeptItsData();

    insert(client, 2 * SOME, 3);
    assertThat(collection(client, 1).countDocuments()).isEqualTo(3 * SOME);
    assertThatTheyAreEqual(back, elsewhere);
  }

  @Test
  void aNewSetBeginsWhereAllMembersAreLost() throws ToolException, IOException {
    start(1);
    int port = set.members().getFirst().port();
    set.close();
    DirectoryTree.delete(dbPath(0));
    restore(0);
    Member first = servers.start(SET, dbPath(0), port);
    assertThatThrownBy(() -> collection(first.client(), 1).countDocuments())
        .as("it serves nothing yet")
        .isInstanceOf(MongoException.class);
    first.initiate();
    assertThat(collection(first.client(), 1).countDocuments()).isEqualTo(SOME);

    // A backup of the old set does not join, until it is emptied.
    int otherPort = FreePort.find();
    restore(1);
    Member old = servers.start(SET, dbPath(1), otherPort);
    RestoredServers.add(first.client(), 1, old);
    Eventually.holds(
        "it is refused",
        RestoredServers.PATIENCE,
        () -> first.log().anyMatch(line -> line.contains("Member could not join")));
    Eventually.holds(
        "it waits", RestoredServers.PATIENCE, () -> first.stateOf(old).equals("STARTUP"));
    old.node().close();
    DirectoryTree.delete(dbPath(1));
    Member second = servers.start(SET, dbPath(1), otherPort);
    first.awaitSecondary(second);

    insert(first.client(), SOME, 2);
    assertThat(collection(first.client(), 1).countDocuments()).isEqualTo(2 * SOME);
    assertThatTheyAreEqual(first, second);
  }
}
