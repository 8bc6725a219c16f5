package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** From one node to another: the same hash, options and indexes. */
class DumpRestoreTest {
  @RegisterExtension static final ServerPair SERVERS = new ServerPair(Wisent::start, Wisent::start);

  @TempDir Path directory;

  @AfterEach
  void clear() {
    SERVERS.to().getDatabase("shop").drop();
    SERVERS.to().getDatabase("test").drop();
  }

  private String dump(String... flags) throws ToolException {
    return run("dump", SERVERS.source(), flags).messages();
  }

  private String restore(String... flags) throws ToolException {
    return run("restore", SERVERS.target(), flags).messages();
  }

  private static ToolHarness run(String tool, Wisent server, String... flags) throws ToolException {
    String[] all = new String[flags.length + 2];
    all[0] = tool;
    all[1] = "--uri=" + server.uri();
    System.arraycopy(flags, 0, all, 2, flags.length);
    return new ToolHarness().run(all);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private void assertSame(String database) {
    assertThat(SampleData.hash(SERVERS.to(), database))
        .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
    assertThat(SampleData.definitions(SERVERS.to(), database))
        .isEqualTo(SampleData.definitions(SERVERS.from(), "shop"));
  }

  @Test
  void directories() throws ToolException {
    assertThat(dump("--out", path("dump"))).contains("done dumping shop.orders (3000 documents)");
    assertThat(directory.resolve("dump/shop/a%2Fb%20%25c.bson")).exists();
    assertThat(restore(path("dump")))
        .contains("3008 document(s) restored successfully. 0 document(s) failed to restore.");
    assertSame("shop");
  }

  @Test
  void compressedDirectories() throws ToolException {
    dump("--gzip", "--out", path("dump"));
    assertThat(directory.resolve("dump/shop/orders.bson.gz")).exists();
    restore("--gzip", "--dir", path("dump"));
    assertSame("shop");
  }

  @Test
  void archivesThroughStandardStreams() throws ToolException {
    byte[] archive = run("dump", SERVERS.source(), "--archive", "--gzip").bytes();
    new ToolHarness()
        .input(archive)
        .run("restore", "--uri", SERVERS.target().uri(), "--archive", "--gzip", "--quiet");
    assertSame("shop");
  }

  @Test
  void renaming() throws ToolException {
    dump("--archive=" + path("archive"));
    restore("--archive=" + path("archive"), "--nsFrom", "shop.*", "--nsTo", "test.*");
    assertSame("test");
    restore(
        "--archive=" + path("archive"),
        "--nsInclude=shop.o*",
        "--nsFrom=$db$.$name$",
        "--nsTo=$name$.of_$db$");
    assertThat(SERVERS.to().getDatabase("orders").getCollection("of_shop").countDocuments())
        .isEqualTo(3_000);
    SERVERS.to().getDatabase("orders").drop();
  }

  @Test
  void aCollectionByQuery() throws ToolException {
    dump("-d", "shop", "-c", "orders", "-q", "{customer: {$lt: 2}}", "-o", path("dump"));
    restore("-d", "test", "-c", "some", path("dump/shop/orders.bson"));
    assertThat(SERVERS.to().getDatabase("test").getCollection("some").countDocuments())
        .isEqualTo(354);
    assertThat(
            SERVERS
                .to()
                .getDatabase("test")
                .getCollection("some")
                .countDocuments(new Document("customer", 5)))
        .isZero();
  }

  @Test
  void viewsAsCollections() throws ToolException {
    dump("--db=shop", "--viewsAsCollections", "--out=" + path("dump"));
    restore(path("dump"));
    assertThat(SampleData.definitions(SERVERS.to(), "shop"))
        .anyMatch(line -> line.startsWith("latest coll"));
    assertThat(SERVERS.to().getDatabase("shop").getCollection("latest").countDocuments())
        .isEqualTo(9);
  }

  @Test
  void aRepeatedRestoreIsNoFailure() throws ToolException {
    dump("--out", path("dump"));
    restore(path("dump"));
    assertThat(restore(path("dump")))
        .contains("0 document(s) restored", " 0 document(s) failed", "3008 document(s) were there");
    SERVERS
        .to()
        .getDatabase("shop")
        .getCollection("orders")
        .updateOne(new Document("_id", 7), Document.parse("{$set: {customer: 99}}"));
    assertThatThrownBy(() -> restore(path("dump"))).hasMessageContaining("not all of the dump");
    assertThat(restore("--drop", path("dump"))).contains("3008 document(s) restored");
    assertSame("shop");
  }

  @Test
  void aDamagedBlockIsRefused() throws ToolException, IOException {
    Path archive = directory.resolve("archive");
    dump("--db=shop", "--collection=orders", "--archive=" + archive);
    byte[] bytes = Files.readAllBytes(archive);
    bytes[bytes.length / 2] ^= 4;
    Files.write(archive, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    assertThatThrownBy(() -> restore("--archive=" + archive))
        .hasMessageContaining("damaged in the block of shop.orders at byte");
    assertThat(SERVERS.to().getDatabase("shop").getCollection("orders").countDocuments()).isZero();
    Files.write(archive, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> restore("--archive=" + archive))
        .hasMessageContaining("the archive ends at byte");
  }

  @Test
  void aPartOfADumpIsNoDump() throws ToolException, IOException {
    dump("--out", path("dump"));
    Files.delete(directory.resolve("dump/shop/words.bson"));
    assertThatThrownBy(() -> restore(path("dump")))
        .hasMessageContaining("words.bson: the dump is not complete");
    Files.createFile(directory.resolve("dump/shop/words.bson.part"));
    assertThatThrownBy(() -> restore(path("dump")))
        .hasMessageContaining("the dump was interrupted");
  }

  @Test
  void aDumpThatEndsBetweenTwoCollectionsIsNoDump() throws ToolException {
    var killed =
        new ToolHarness()
            .onMessage(
                "done dumping shop.",
                () -> {
                  throw new IllegalStateException("killed");
                });
    assertThatThrownBy(
            () -> killed.run("dump", "--uri", SERVERS.source().uri(), "-j1", "--out", path("dump")))
        .hasMessage("killed");
    for (String[] flags :
        new String[][] {{path("dump")}, {"--db=shop", path("dump")}, {"-d=t", path("dump/shop")}}) {
      assertThatThrownBy(() -> restore(flags)).hasMessageContaining("the dump was interrupted");
    }
    assertThat(SERVERS.to().listDatabaseNames()).doesNotContain("shop", "t");
    dump("--out", path("dump"));
    assertThat(restore(path("dump"))).contains("3008 document(s) restored");
  }

  @Test
  void filesThatWereChangedAreRefused() throws ToolException, IOException {
    dump("--db=shop", "--collection=orders", "--out", path("dump"));
    Path file = directory.resolve("dump/shop/orders.bson");
    byte[] bytes = Files.readAllBytes(file);
    int first = bytes[0];
    // At the end of a document, where the rest is whole.
    Files.write(file, java.util.Arrays.copyOfRange(bytes, first, bytes.length));
    assertThatThrownBy(() -> restore(path("dump")))
        .hasMessageContaining(
            "orders.bson has %d bytes, and the dump has written %d"
                .formatted(bytes.length - first, bytes.length));
    assertThat(SERVERS.to().listDatabaseNames()).doesNotContain("shop");
    bytes[first - 3]++;
    Files.write(file, bytes);
    assertThatThrownBy(() -> restore(path("dump")))
        .hasMessageContaining("orders.bson is damaged: it has 3000 document(s)");
    Path metadata = directory.resolve("dump/shop/orders.metadata.json");
    Files.writeString(
        metadata, Files.readString(metadata).replaceFirst(", \"data\": \\{[^}]*}[^}]*}[^}]*}", ""));
    assertThat(restore("--drop", path("dump"))).contains("3000 document(s) restored");
    dump("--db=shop", "--collection=orders", "--gzip", "--out", path("dump"));
    assertThatThrownBy(() -> restore(path("dump")))
        .hasMessageContaining("has both orders.bson and orders.bson.gz");
  }

  /** Documents are the same if their bytes are: order, duplicates and types of fields count. */
  @Test
  void aDocumentWithOtherBytesIsNotTheSame() throws ToolException {
    SERVERS
        .from()
        .getDatabase("other")
        .getCollection("c")
        .insertOne(Document.parse("{_id: {a: 1, b: 2}, a: 1, b: 2}"));
    dump("--db=other", "--out", path("dump"));
    SERVERS.from().getDatabase("other").drop();
    SERVERS
        .to()
        .getDatabase("test")
        .getCollection("c")
        .insertOne(Document.parse("{_id: {a: 1, b: 2}, b: 2, a: 1}"));
    assertThatThrownBy(() -> restore("--nsFrom=other.*", "--nsTo=test.*", path("dump")))
        .hasMessageContaining("not all of the dump");
  }

  @Test
  void emptyTimestampsStayEmpty() throws ToolException {
    SERVERS
        .from()
        .getDatabase("other")
        .runCommand(
            BsonDocument.parse(
                "{insert: 'c', bypassEmptyTsReplacement: true, documents: [{_id: 1},"
                    + " {_id: 2, t: {$timestamp: {t: 0, i: 0}}}, {_id: 3}]}"));
    dump("--db=other", "--out", path("dump"));
    assertThat(restore(path("dump"))).contains("3 document(s) restored");
    assertThat(restore(path("dump"))).contains("0 document(s) restored", "3 document(s) were");
    assertThat(SampleData.hash(SERVERS.to(), "other"))
        .isEqualTo(SampleData.hash(SERVERS.from(), "other"));
    SERVERS.from().getDatabase("other").drop();
    SERVERS.to().getDatabase("other").drop();
  }

  @Test
  void whatIsMissingIsSaid() throws ToolException {
    SERVERS
        .to()
        .getDatabase("shop")
        .runCommand(BsonDocument.parse("{create: 'orders', validator: {customer: 3}}"));
    dump("--out", path("dump"));
    var tool = new ToolHarness();
    assertThatThrownBy(
            () ->
                tool.run("restore", "--uri", SERVERS.target().uri(), "--stopOnError", path("dump")))
        .hasMessageContaining("shop.orders: Document failed validation");
    assertThat(tool.messages())
        .contains("The restore is not complete. Missing:")
        .contains("  shop.orders: documents and indexes; so far 0 restored")
        .contains("  shop.latest: the view");
    assertThat(restore("--bypassDocumentValidation", "--nsInclude=shop.orders", path("dump")))
        .contains("3000 document(s) restored");
  }

  @Test
  void anInterruptedRestoreSaysWhatIsMissing() throws ToolException {
    dump("--out", path("dump"));
    var tool = new ToolHarness();
    tool.interruption().request();
    assertThatThrownBy(() -> tool.run("restore", "--uri", SERVERS.target().uri(), path("dump")))
        .hasMessage("interrupted");
    assertThat(tool.messages()).contains("shop.orders: everything", "It may be repeated");
    var inTheMiddle = new ToolHarness();
    inTheMiddle.onMessage("restoring shop.orders", () -> inTheMiddle.interruption().request());
    assertThatThrownBy(
            () -> inTheMiddle.run("restore", "--uri", SERVERS.target().uri(), path("dump")))
        .hasMessage("interrupted");
    assertThat(inTheMiddle.messages())
        .containsPattern("shop.orders: documents and indexes; so far \\d+ restored")
        .contains("shop.latest: the view");
    restore(path("dump"));
    assertSame("shop");
  }

  @Test
  @Tag("faults")
  void aRestoreSurvivesAnElection() throws ToolException {
    dump("--out", path("dump"));
    try (Wisent set = Wisent.replicaSet(3);
        MongoClient client = MongoClients.create(set.uri())) {
      Document stepDown = Document.parse("{replSetStepDown: 5, force: true}");
      new ToolHarness()
          .onMessage(
              "restoring shop.orders", () -> client.getDatabase("admin").runCommand(stepDown))
          .run("restore", "--uri", set.uri(), "-j1", path("dump"));
      assertThat(SampleData.hash(client, "shop"))
          .isEqualTo(SampleData.hash(SERVERS.from(), "shop"));
    }
  }

  @Test
  void nothingIsChangedByADryRun() throws ToolException {
    dump("--out", path("dump"));
    assertThat(restore("--dryRun", path("dump"))).contains("would restore the view shop.latest");
    assertThat(SERVERS.to().listDatabaseNames()).doesNotContain("shop");
  }

  @Test
  void progressIsABarOnATerminal() throws ToolException {
    var tool = new ToolHarness().onTerminal();
    tool.run("dump", "--uri", SERVERS.source().uri(), "--out", path("dump"));
    assertThat(tool.messages()).contains("\rdump ", "100%", "3010/");
  }

  @Test
  void flagsThatMakeNoSenseAreRefused() {
    for (List<String> flags :
        List.of(
            List.of("--collection=c"),
            List.of("--query={}"),
            List.of("--archive=x", "--out=y"),
            List.of("--repair"),
            List.of("--nonsense"),
            List.of("--oplog", "--db=shop"),
            List.of("--db"),
            List.of("--numParallelCollections=x"))) {
      assertThatThrownBy(() -> dump(flags.toArray(String[]::new)))
          .as("%s", flags)
          .isInstanceOfSatisfying(ToolException.class, e -> assertThat(e.isOfOptions()).isTrue());
    }
    assertThatThrownBy(() -> restore("--preserveUUID"))
        .hasMessageContaining("--preserveUUID is not supported: collections get new UUIDs");
    assertThatThrownBy(() -> restore("--nsFrom=$a$.b", "--nsTo=b.$c$"))
        .hasMessageContaining("different variables");
    assertThatThrownBy(() -> dump("--oplog")).hasMessageContaining("needs a replica set");
  }
}
