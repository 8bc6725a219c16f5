package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.util.Set;

/**
 * What came of a call.
 *
 * @param host the member that answered, where its cursor is; null if none did
 * @param body the reply with {@code ok: 1}; null if there was an error
 * @param error a {@code RemoteErrorException} if the shard replied with it; null otherwise
 */
public record ShardReply(
    ShardRequest request, HostAndPort host, RawDocument body, CommandException error) {
  private static final Set<String> OF_THE_NODE = Set.of("ok", "$clusterTime", "operationTime");

  public boolean isOk() {
    return error == null;
  }

  /** Whether a field of a reply tells of the node that answers, and not of the command's result. */
  public static boolean isOfTheNode(String field) {
    return OF_THE_NODE.contains(field);
  }

  /** Appends what a command of another node has resulted in to a client's reply. */
  public static void appendResult(RawDocument body, BsonBuilder reply) {
    ElementCursor fields = body.elements();
    while (fields.next()) {
      if (!isOfTheNode(fields.name())) {
        reply.appendElement(fields);
      }
    }
  }

  /** The reply; throws the error. */
  public RawDocument get() {
    if (error != null) {
      throw error;
    }
    return body;
  }
}
