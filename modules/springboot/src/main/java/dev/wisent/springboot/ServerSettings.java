package dev.wisent.springboot;

import dev.wisent.Wisent;
import dev.wisent.server.ServerOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.springframework.core.annotation.MergedAnnotation;

/** What an annotation asks for. */
record ServerSettings(int members, int shards, Map<String, String> parameters) {
  ServerSettings {
    if (members < 0 || shards < 0) {
      throw new IllegalArgumentException("@AutoConfigureWisent: members and shards are at least 0");
    }
    if (members > 0 && shards > 0) {
      throw new IllegalArgumentException(
          "@AutoConfigureWisent: members are for a replica set, and shards for a cluster; give"
              + " one");
    }
  }

  static ServerSettings of(MergedAnnotation<AutoConfigureWisent> annotation) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : annotation.getStringArray("parameters")) {
      int equals = parameter.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "@AutoConfigureWisent: parameter '" + parameter + "' is not name=value");
      }
      parameters.put(parameter.substring(0, equals), parameter.substring(equals + 1));
    }
    return new ServerSettings(
        annotation.getInt("members"), annotation.getInt("shards"), parameters);
  }

  Wisent start() {
    Consumer<ServerOptions.Builder> options = builder -> parameters.forEach(builder::setParameter);
    if (members > 0) {
      return Wisent.replicaSet(members, options);
    }
    return shards > 0 ? Wisent.cluster(shards, options) : Wisent.start(options);
  }
}
