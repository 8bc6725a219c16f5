package dev.wisent.conformance;

import dev.wisent.conformance.replica.SharedReplicaSet;
import dev.wisent.testkit.Topology;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What specification cases run against: tests take it as a parameter. */
record SpecServer(String uri) {

  /** A node by itself, or the run's router. */
  static final class Node extends Extension {
    Node() {
      super(SharedServer::uri);
    }
  }

  /** A replica set, or the run's router. */
  static final class ReplicaSet extends Extension {
    ReplicaSet() {
      super(
          context ->
              Topology.ofRun() == Topology.SERVER
                  ? SharedReplicaSet.of(context).uri()
                  : SharedServer.uri(context));
    }
  }

  private abstract static class Extension implements ParameterResolver {
    private final Function<ExtensionContext, String> uri;

    Extension(Function<ExtensionContext, String> uri) {
      this.uri = uri;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == SpecServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new SpecServer(uri.apply(context));
    }
  }
}
