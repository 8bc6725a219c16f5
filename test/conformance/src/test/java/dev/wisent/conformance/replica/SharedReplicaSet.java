package dev.wisent.conformance.replica;

import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One set of three members for all tests of a run that leave it as it was. Member 0 has the tag
 * {@code dc: "east"}, the others {@code dc: "west"}; the write concern {@code bothCoasts} asks for
 * one of each. Tests take the {@link ReplicaSetProcesses} as a parameter.
 */
public record SharedReplicaSet(ReplicaSetProcesses set, Path directory) implements AutoCloseable {

  /**
   * Tests remember who is primary: a machine that stands still for a moment is no reason to elect
   * another one.
   */
  static final int ELECTION_TIMEOUT_MILLIS = 6000;

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedReplicaSet.class);

  /** The set of the run. */
  public static ReplicaSetProcesses of(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(SharedReplicaSet.class, key -> start(), SharedReplicaSet.class)
        .set();
  }

  private static SharedReplicaSet start() {
    try {
      Path directory = Files.createTempDirectory("wisent-replica-set-");
      return new SharedReplicaSet(ReplicaSetProcesses.start(directory, options()), directory);
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for a replica set", e);
    }
  }

  private static SetOptions options() {
    return SetOptions.of(3)
        .withArguments("--setParameter", "enableTestCommands=1")
        .withMemberConfig(
            id ->
                new Document(
                    "tags", new Document("dc", id == 0 ? "east" : "west").append("name", "m" + id)))
        .withSettings(
            new Document("getLastErrorModes", new Document("bothCoasts", new Document("dc", 2)))
                .append("electionTimeoutMillis", ELECTION_TIMEOUT_MILLIS));
  }

  @Override
  public void close() throws IOException {
    set.close();
    DirectoryTree.delete(directory);
  }

  /** Starts it with the first test that asks; JUnit's store closes it after the last. */
  public static final class Extension implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ReplicaSetProcesses.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return of(context);
    }
  }
}
