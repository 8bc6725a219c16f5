package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.tools.RandomDocuments.Names;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random documents through JSON, and random rows through CSV: equal byte by byte. {@code
 * -Dwisent.seed} makes others, {@code -Dwisent.tools.rounds} more.
 */
class TextFuzzTest {
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int ROUNDS = Integer.getInteger("wisent.tools.rounds", 4);
  private static final long MILLIS_MAX = 253_402_300_799_999L;
  private static final String CHARACTERS = "ab \"',\t\r\n\\\u0000{}[]1.-\u20ac\u00e9";

  private static Wisent server;
  private static MongoClient client;
  private static MongoDatabase database;

  @BeforeAll
  static void start() {
    server = Wisent.start();
    client = MongoClients.create(server.uri());
    database = client.getDatabase("text");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static String export(String... flags) throws ToolException {
    return run(new ToolHarness(), "export", "from", flags).output();
  }

  private static void load(String text, String... flags) throws ToolException {
    run(new ToolHarness().input(text), "import", "to", flags);
  }

  private static ToolHarness run(
      ToolHarness harness, String tool, String collection, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of(tool, "--uri=" + server.uri(), "-d=text"));
    all.add("-c=" + collection);
    all.addAll(List.of(flags));
    return harness.run(all.toArray(String[]::new));
  }

  private static void assertSame(String what) {
    assertThat(RandomCollections.content(database, "to"))
        .as(what)
        .isEqualTo(RandomCollections.content(database, "from"));
  }

  @Test
  void documentsThroughCanonicalJson() throws ToolException {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED * 1_000 + round;
      var random = new Random(seed);
      var generator = new RandomDocuments(random, 1 + random.nextInt(5), Names.OF_JSON);
      for (String form : List.of("--pretty=false", "--jsonArray", "--pretty")) {
        database.drop();
        database
            .getCollection("from", RawBsonDocument.class)
            .insertMany(IntStream.range(0, 60).mapToObj(ignored -> generator.next()).toList());
        String text = export("--jsonFormat=canonical", form);
        load(
            text,
            form.equals("--jsonArray") ? form : "--jsonArray=false",
            "--maintainInsertionOrder");
        assertSame("seed " + seed + ", " + form);
      }
    }
  }

  @Test
  void rowsThroughCsv() throws ToolException {
    String columns =
        "_id.int32(),s.string(),i.int32(),l.int64(),d.double(),n.decimal(),b.boolean(),"
            + "t.date_go(2006-01-02T15:04:05.000Z07:00),e.x.string()";
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED * 1_000 + round;
      var random = new Random(seed);
      database.drop();
      database
          .getCollection("from", BsonDocument.class)
          .insertMany(IntStream.range(0, 100).mapToObj(id -> row(id, random)).toList());
      String text = export("--type=csv", "--noHeaderLine", "--fields=_id,s,i,l,d,n,b,t,e.x");
      load(
          text,
          "--type=csv",
          "--columnsHaveTypes",
          "--fields=" + columns,
          "--maintainInsertionOrder");
      assertSame("seed " + seed);
    }
  }

  private static BsonDocument row(int id, RandomGenerator random) {
    return new BsonDocument("_id", new BsonInt32(id))
        .append("s", new BsonString(text(random)))
        .append("i", new BsonInt32(random.nextInt()))
        .append("l", new BsonInt64(random.nextLong()))
        .append("d", new BsonDouble(random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20)))
        .append(
            "n",
            new BsonDecimal128(Decimal128.parse(random.nextInt() + "E" + random.nextInt(-9, 9))))
        .append("b", BsonBoolean.valueOf(random.nextBoolean()))
        .append("t", new BsonDateTime(random.nextLong(MILLIS_MAX)))
        .append("e", new BsonDocument("x", new BsonString(text(random))));
  }

  private static String text(RandomGenerator random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return text.toString();
  }
}
