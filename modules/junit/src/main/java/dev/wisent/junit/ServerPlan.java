package dev.wisent.junit;

import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The servers that an annotation asks for; equal plans can share servers.
 *
 * @param size members or shards; 1 for a node
 */
record ServerPlan(Topology topology, int size, Map<String, String> parameters) {
  private static final int MEMBERS = 3;
  private static final int SHARDS = 2;

  static ServerPlan of(WisentTest annotation, Class<?> testClass) {
    try {
      return new ServerPlan(annotation.topology(), size(annotation), parameters(annotation));
    } catch (IllegalArgumentException e) {
      throw new ExtensionConfigurationException(
          "@WisentTest of " + testClass.getName() + ": " + e.getMessage(), e);
    }
  }

  private static int size(WisentTest annotation) {
    Topology topology = annotation.topology();
    refuse("members", annotation.members(), topology, Topology.SET);
    refuse("shards", annotation.shards(), topology, Topology.CLUSTER);
    return switch (topology) {
      case NODE -> 1;
      case SET -> annotation.members() == 0 ? MEMBERS : annotation.members();
      case CLUSTER -> annotation.shards() == 0 ? SHARDS : annotation.shards();
    };
  }

  private static void refuse(String name, int value, Topology topology, Topology needed) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " = " + value + " is negative");
    }
    if (value > 0 && topology != needed) {
      throw new IllegalArgumentException(
          name + " is for topology " + needed + ", and this one is " + topology);
    }
  }

  private static Map<String, String> parameters(WisentTest annotation) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : annotation.parameters()) {
      int equals = parameter.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("parameter '" + parameter + "' is not name=value");
      }
      String name = parameter.substring(0, equals);
      if (parameters.put(name, parameter.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("parameter " + name + " is there twice");
      }
    }
    return parameters;
  }

  Wisent start() {
    Consumer<ServerOptions.Builder> options = builder -> parameters.forEach(builder::setParameter);
    return switch (topology) {
      case NODE -> Wisent.start(options);
      case SET -> Wisent.replicaSet(size, options);
      case CLUSTER -> Wisent.cluster(size, options);
    };
  }
}
