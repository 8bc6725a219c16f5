package dev.wisent.conformance.unified;

import com.mongodb.client.MongoClient;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * What a case's requirements are compared with.
 *
 * @param version the reported server version, three numbers
 * @param topology {@code single}, {@code replicaset} or {@code sharded}
 * @param parameters the reply to {@code getParameter: '*'}, empty where it is not supported
 */
record ServerInfo(List<Integer> version, String topology, BsonDocument parameters) {

  static ServerInfo of(MongoClient client) {
    BsonDocument buildInfo = command(client, new BsonDocument("buildInfo", new BsonInt32(1)));
    // The older name of hello: other servers that these cases run against may know only that.
    BsonDocument hello = command(client, new BsonDocument("isMaster", new BsonInt32(1)));
    return new ServerInfo(
        parseVersion(buildInfo.getString("version").getValue()),
        topology(hello),
        parameters(client));
  }

  /** Whether this server's version is at most {@code other}. */
  boolean atMost(String other) {
    return Arrays.compare(numbers(version), numbers(parseVersion(other))) <= 0;
  }

  /** Whether this server's version is at least {@code other}. */
  boolean atLeast(String other) {
    return Arrays.compare(numbers(version), numbers(parseVersion(other))) >= 0;
  }

  /** Missing parts of a version count as 0, suffixes such as {@code -rc1} are dropped. */
  static List<Integer> parseVersion(String text) {
    String[] parts = text.replaceFirst("[^0-9.].*$", "").split("\\.");
    return List.of(part(parts, 0), part(parts, 1), part(parts, 2));
  }

  private static int part(String[] parts, int index) {
    return index < parts.length ? Integer.parseInt(parts[index]) : 0;
  }

  private static int[] numbers(List<Integer> version) {
    return version.stream().mapToInt(Integer::intValue).toArray();
  }

  private static String topology(BsonDocument hello) {
    if (hello.containsKey("setName")) {
      return "replicaset";
    }
    BsonValue message = hello.get("msg");
    boolean router = message != null && message.isString();
    return router && message.asString().getValue().equals("isdbgrid") ? "sharded" : "single";
  }

  private static BsonDocument parameters(MongoClient client) {
    try {
      return command(client, BsonDocument.parse("{getParameter: '*'}"));
    } catch (com.mongodb.MongoCommandException unsupported) {
      return new BsonDocument();
    }
  }

  private static BsonDocument command(MongoClient client, BsonDocument command) {
    return client.getDatabase("admin").runCommand(command, BsonDocument.class);
  }
}
