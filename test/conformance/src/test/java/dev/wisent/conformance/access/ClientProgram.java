package dev.wisent.conformance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.ScriptResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** A driver or a shell that makes the attempts of some cases, one after the other. */
enum ClientProgram {
  JAVA_DRIVER {
    @Override
    List<LoginOutcome> attempt(List<LoginCase> cases, ClosedDeployment at, Path scratch) {
      return cases.stream().map(each -> attemptInJava(each, at)).toList();
    }
  },

  NODE_DRIVER {
    @Override
    List<LoginOutcome> attempt(List<LoginCase> cases, ClosedDeployment at, Path scratch) {
      NodePackages packages = NodePackages.assumeNode();
      Path modules = packages.assumeInstalled("mongodb", DRIVER_VERSION);
      Path input = write(cases, at, scratch);
      ScriptResult result =
          packages
              .script(modules, resource("/node/login-driver.js"), input.toString())
              .run(PATIENCE);
      return read(result.stdout(), result.text());
    }
  },

  MONGOSH {
    @Override
    List<LoginOutcome> attempt(List<LoginCase> cases, ClosedDeployment at, Path scratch) {
      NodePackages packages = NodePackages.assumeNode();
      Path modules = packages.assumeInstalled("mongosh", MONGOSH_VERSION);
      String input = new Document("file", write(cases, at, scratch).toString()).toJson();
      ScriptResult result =
          packages
              .mongosh(
                  modules,
                  scratch.resolve("home"),
                  "--nodb",
                  "--eval",
                  "var input = " + input,
                  resource("/node/login-mongosh.js").toString())
              .run(PATIENCE);
      return read(result.stdout(), result.text());
    }
  },

  /** The driver of Debian's packages, with the interpreter that they are installed for. */
  PYTHON_DRIVER {
    @Override
    List<LoginOutcome> attempt(List<LoginCase> cases, ClosedDeployment at, Path scratch) {
      assumeTrue(
          python(scratch, "-c", "import pymongo") == 0, "needs the Debian package python3-pymongo");
      Path input = write(cases, at, scratch);
      python(scratch, resource("/python/login_driver.py").toString(), input.toString());
      String output = text(scratch.resolve("output"));
      return read(output, output);
    }
  };

  static final String MONGOSH_VERSION = "2.12.0";
  private static final String DRIVER_VERSION = "7.8.0";
  private static final String PYTHON = "/usr/bin/python3";
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final String LINE = "OUTCOME ";

  /**
   * Makes the attempts, or skips the test where the program is missing.
   *
   * @param scratch a directory for this program alone
   * @return in the order of the cases
   */
  abstract List<LoginOutcome> attempt(List<LoginCase> cases, ClosedDeployment at, Path scratch);

  private static LoginOutcome attemptInJava(LoginCase one, ClosedDeployment at) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(one.uri(at, null)));
    if (one.isEncrypted()) {
      at.files().tls(settings, one.shown());
    }
    try (MongoClient client = MongoClients.create(settings.build())) {
      Document reply = null;
      for (Document command : one.commands()) {
        reply = client.getDatabase(one.database()).runCommand(command);
      }
      return new LoginOutcome(reply, null, null);
    } catch (MongoException e) {
      MongoCommandException refused = refusal(e);
      return refused == null
          ? new LoginOutcome(null, null, e.toString())
          : new LoginOutcome(null, refused.getErrorCode(), refused.getErrorMessage());
    }
  }

  /** The server's answer, which the driver may have wrapped; null if there is none. */
  private static MongoCommandException refusal(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof MongoCommandException refused) {
        return refused;
      }
    }
    return null;
  }

  private static Path write(List<LoginCase> cases, ClosedDeployment at, Path scratch) {
    List<Document> all = new ArrayList<>();
    for (LoginCase each : cases) {
      all.add(
          new Document("uri", each.uri(at, at.files()))
              .append("database", each.database())
              .append("commands", each.commands()));
    }
    try {
      Files.createDirectories(scratch);
      return Files.writeString(scratch.resolve("cases.json"), new Document("cases", all).toJson());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<LoginOutcome> read(String output, String forFailure) {
    List<LoginOutcome> outcomes =
        output
            .lines()
            .filter(line -> line.startsWith(LINE))
            .map(line -> LoginOutcome.of(Document.parse(line.substring(LINE.length()))))
            .toList();
    assertThat(outcomes).as(forFailure).isNotEmpty();
    return outcomes;
  }

  private static int python(Path scratch, String... arguments) {
    List<String> command = new ArrayList<>(List.of(PYTHON));
    command.addAll(List.of(arguments));
    Process process;
    try {
      Files.createDirectories(scratch);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(scratch.resolve("output").toFile())
              .start();
    } catch (IOException missing) {
      return -1;
    }
    try {
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path resource(String name) {
    try {
      return Path.of(ClientProgram.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no resource " + name, e);
    }
  }
}
