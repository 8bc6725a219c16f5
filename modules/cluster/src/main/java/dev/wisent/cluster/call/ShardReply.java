package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;

/**
 * What came of a call.
 *
 * @param host the member that answered, where its cursor is; null if none did
 * @param body the reply with {@code ok: 1}; null if there was an error
 * @param error a {@code RemoteErrorException} if the shard replied with it; null otherwise
 */
public record ShardReply(
    ShardRequest request, HostAndPort host, RawDocument body, CommandException error) {
  public boolean isOk() {
    return error == null;
  }

  /** The reply; throws the error. */
  public RawDocument get() {
    if (error != null) {
      throw error;
    }
    return body;
  }
}
