package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.types.ObjectId;

/**
 * Finds this node in a configuration: it is the one that answers there. Names and addresses would
 * not do, for a machine has many.
 */
final class SelfSearch {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final ObjectId processId;
  private final NodeClient nodes;

  SelfSearch(ObjectId processId, NodeClient nodes) {
    this.processId = processId;
    this.nodes = nodes;
  }

  /**
   * @throws CommandException InvalidReplicaSetConfig if it is not there, or several times
   */
  MemberConfig find(ReplicaSetConfig config) {
    List<MemberConfig> found = config.members().stream().filter(this::isSelf).toList();
    if (found.size() == 1) {
      return found.getFirst();
    }
    String which =
        "new configuration with {version: "
            + config.version()
            + ", term: "
            + config.term()
            + "} for replica set "
            + config.name();
    if (found.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_REPLICA_SET_CONFIG,
          "No host described in " + which + " maps to this node");
    }
    throw new CommandException(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "The hosts "
            + found.stream().map(MemberConfig::host).collect(Collectors.joining(" and "))
            + " all map to this node in "
            + which);
  }

  private boolean isSelf(MemberConfig member) {
    try {
      RawDocument reply =
          nodes.run(
              HostAndPort.parse(member.host()),
              NodeRequest.admin(out -> out.appendInt32("hello", 1), TIMEOUT));
      RawValue version = reply.get("topologyVersion");
      RawValue process =
          version == null || !version.isDocument() ? null : version.asDocument().get("processId");
      return process != null
          && process.type() == ElementType.OBJECT_ID
          && process.asObjectId().equals(processId);
    } catch (CommandException e) {
      return false; // no answer: the quorum check will say so
    }
  }
}
