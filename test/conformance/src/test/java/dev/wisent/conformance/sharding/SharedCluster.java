package dev.wisent.conformance.sharding;

import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One cluster of three shards for all tests of a run that keep to databases of their own: a
 * parameter of type {@link TestCluster}. With {@code -Dwisent.configShard=true} the config server
 * is one of them.
 */
public final class SharedCluster implements BeforeAllCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedCluster.class);

  private static final int SHARDS = 3;

  private record Running(TestCluster cluster, Path directory) implements AutoCloseable {
    static Running start() {
      try {
        Path directory = Files.createTempDirectory("wisent-cluster-");
        TestCluster cluster =
            Boolean.getBoolean("wisent.configShard")
                ? TestCluster.startWithConfigShard(SHARDS, directory)
                : TestCluster.start(SHARDS, directory);
        return new Running(cluster, directory);
      } catch (IOException e) {
        throw new UncheckedIOException("no directory for a cluster", e);
      }
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      DirectoryTree.delete(directory);
    }
  }

  private static TestCluster cluster(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Running.class, key -> Running.start(), Running.class)
        .cluster();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }
}
