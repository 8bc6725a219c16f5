package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.RandomDocuments.Names;
import dev.wisent.tools.command.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random databases through every form of a dump: equal byte by byte. {@code -Dwisent.seed} makes
 * others, {@code -Dwisent.tools.rounds} more.
 */
class RoundTripFuzzTest {
  private static final long SEED = Long.getLong("wisent.seed", 1);
  private static final int ROUNDS = Integer.getInteger("wisent.tools.rounds", 4);
  private static final int DAMAGES_PER_ROUND = 12;

  private static Wisent server;
  private static MongoClient client;

  @TempDir Path directory;

  /** The ways of a dump. */
  private enum Form {
    FILES,
    COMPRESSED_FILES,
    ARCHIVE,
    COMPRESSED_ARCHIVE;

    private List<String> flags(Path path, boolean dump) {
      return switch (this) {
        case FILES -> List.of((dump ? "--out=" : "--dir=") + path);
        case COMPRESSED_FILES -> List.of("--gzip", (dump ? "--out=" : "--dir=") + path);
        case ARCHIVE -> List.of("--archive=" + path);
        case COMPRESSED_ARCHIVE -> List.of("--gzip", "--archive=" + path);
      };
    }
  }

  @BeforeAll
  static void start() {
    server = Wisent.start();
    client = MongoClients.create(server.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static String run(String tool, List<String> more, String... flags) throws ToolException {
    List<String> all = new ArrayList<>(List.of(tool, "--uri=" + server.uri()));
    all.addAll(List.of(flags));
    all.addAll(more);
    return new ToolHarness().run(all.toArray(String[]::new)).messages();
  }

  private static void restore(Form form, Path dump) throws ToolException {
    client.getDatabase("copy").drop();
    run("restore", form.flags(dump, false), "--nsFrom=fuzz.*", "--nsTo=copy.*");
  }

  private static void assertSame(String what) {
    assertThat(RandomCollections.definitions(client, "copy"))
        .as(what)
        .isEqualTo(RandomCollections.definitions(client, "fuzz"));
    assertThat(RandomCollections.content(client.getDatabase("copy")))
        .as(what)
        .isEqualTo(RandomCollections.content(client.getDatabase("fuzz")));
  }

  @Test
  void randomDatabases() throws ToolException {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED * 1_000 + round;
      var random = new Random(seed);
      client.getDatabase("fuzz").drop();
      new RandomCollections(random, 120).fill(client.getDatabase("fuzz"), 6);
      for (Form form : Form.values()) {
        String what = "seed " + seed + ", " + form;
        Path dump = directory.resolve(round + "-" + form);
        try {
          run("dump", form.flags(dump, true), "--db=fuzz");
          restore(form, dump);
        } catch (ToolException | RuntimeException e) {
          throw new AssertionError(what + ": " + e, e);
        }
        assertSame(what);
        // The same again: all are there already, byte by byte.
        assertThat(run("restore", form.flags(dump, false), "--nsFrom=fuzz.*", "--nsTo=copy.*"))
            .as(what)
            .contains("0 document(s) restored successfully. 0 document(s) failed to restore.");
      }
    }
  }

  @Test
  void theLargestDocuments() throws ToolException {
    client.getDatabase("fuzz").drop();
    var generator = new RandomDocuments(new Random(SEED), 3, Names.ALL);
    var collection = client.getDatabase("fuzz").getCollection("large", RawBsonDocument.class);
    for (int bytes : new int[] {16 << 20, (16 << 20) - 1, 5 << 20}) {
      collection.insertOne(generator.large(bytes));
      collection.insertOne(generator.next());
    }
    for (Form form : List.of(Form.FILES, Form.COMPRESSED_ARCHIVE)) {
      Path dump = directory.resolve(form.toString());
      run("dump", form.flags(dump, true), "--db=fuzz");
      restore(form, dump);
      assertSame(form.toString());
    }
  }

  /** Either the restore is refused, or what it restores is right. */
  @Test
  void damagedDumps() throws ToolException, IOException {
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED * 1_000 + round;
      var random = new Random(seed);
      client.getDatabase("fuzz").drop();
      new RandomCollections(random, 12).fill(client.getDatabase("fuzz"), 3);
      Form form = round % 2 == 0 ? Form.ARCHIVE : Form.COMPRESSED_ARCHIVE;
      Path dump = directory.resolve("archive" + round);
      run("dump", form.flags(dump, true), "--db=fuzz");
      byte[] whole = Files.readAllBytes(dump);
      for (int i = 0; i < DAMAGES_PER_ROUND; i++) {
        byte[] damaged = whole.clone();
        int at = random.nextInt(whole.length);
        String what = "seed %d, %s, byte %d of %d".formatted(seed, form, at, whole.length);
        if (i % 4 == 3) {
          damaged = java.util.Arrays.copyOf(whole, at);
        } else {
          damaged[at] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(dump, damaged);
        try {
          restore(form, dump);
          assertSame(what);
        } catch (ToolException e) {
          refused++;
        } catch (RuntimeException e) {
          throw new AssertionError(what + ": " + e, e);
        }
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS * DAMAGES_PER_ROUND / 2);
  }
}
