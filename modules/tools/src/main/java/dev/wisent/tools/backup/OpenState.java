package dev.wisent.tools.backup;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A state that a server has fixed.
 *
 * @param part the name that it gets in the backup
 * @param id what it is read under
 * @param origin what the server says of itself and of the state
 */
record OpenState(
    SourceMember member, String part, BsonValue id, BsonDocument origin, List<RemoteFile> files)
    implements AutoCloseable {
  private static final Set<String> NOT_ORIGIN =
      Set.of(
          "backup",
          "files",
          "member",
          "ok",
          "operationTime",
          "$clusterTime",
          "lastCommittedOpTime");

  /**
   * A file on the server.
   *
   * @param identity null for a file that can change
   */
  record RemoteFile(String name, long bytes, String identity) {}

  static OpenState of(SourceMember member, String part, BsonDocument reply) {
    var origin = new BsonDocument();
    reply.forEach(
        (name, value) -> {
          if (!NOT_ORIGIN.contains(name)) {
            origin.append(name, value);
          }
        });
    List<RemoteFile> files = new ArrayList<>();
    for (BsonValue each : reply.getArray("files")) {
      BsonDocument file = each.asDocument();
      files.add(
          new RemoteFile(
              file.getString("name").getValue(),
              file.getNumber("size").longValue(),
              file.containsKey("identity") ? file.getString("identity").getValue() : null));
    }
    return new OpenState(member, part, reply.get("backup"), origin, files);
  }

  long bytes() {
    return files.stream().mapToLong(RemoteFile::bytes).sum();
  }

  /** Tells the server that the state is still wanted. */
  void keep() {
    member.keep(id);
  }

  /** Gives up the state, or leaves that to the server, which does so after some minutes. */
  @Override
  public void close() {
    try (member) {
      member.end(id);
    } catch (MongoException | IllegalStateException e) {
      // Nothing depends on it; a closed client is the end of the run.
    }
  }
}
