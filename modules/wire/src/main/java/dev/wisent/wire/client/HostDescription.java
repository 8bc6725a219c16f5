package dev.wisent.wire.client;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.HostAndPort;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bson.types.ObjectId;

/**
 * What a host said last of itself in {@code hello}.
 *
 * @param setName null unless it is in a replica set
 * @param me its own name for itself; null if it tells none
 * @param hosts all members that it names, itself included
 * @param electionId of a primary; null otherwise
 * @param setVersion of its configuration; -1 if it tells none
 * @param lastWriteMillis the wall time of its last write
 * @param heardMillis when it said so, by this node's wall clock
 * @param topologyVersion null if it tells none
 * @param error why nothing is known; null otherwise
 */
public record HostDescription(
    HostAndPort host,
    Kind kind,
    String setName,
    HostAndPort me,
    Set<HostAndPort> hosts,
    ObjectId electionId,
    int setVersion,
    Map<String, String> tags,
    long lastWriteMillis,
    long heardMillis,
    RawDocument topologyVersion,
    String error) {
  /** What a host is, as far as it can be known from outside. */
  public enum Kind {
    UNKNOWN,
    PRIMARY,
    SECONDARY,
    ARBITER,
    /** A member in another state, or a hidden one. */
    OTHER,
    /** A node that waits for its configuration. */
    GHOST,
    /** Neither is it in a replica set. */
    STANDALONE
  }

  static HostDescription unknown(HostAndPort host, String error) {
    return new HostDescription(
        host, Kind.UNKNOWN, null, null, Set.of(), null, -1, Map.of(), 0, 0, null, error);
  }

  /** Reads the reply to {@code hello}. */
  static HostDescription of(HostAndPort host, RawDocument reply, long nowMillis) {
    if (!CommandReplies.isOk(reply)) {
      return unknown(host, text(reply, "errmsg"));
    }
    var hosts = new LinkedHashSet<HostAndPort>();
    addHosts(hosts, reply.get("hosts"));
    addHosts(hosts, reply.get("passives"));
    addHosts(hosts, reply.get("arbiters"));
    String me = text(reply, "me");
    RawValue election = reply.get("electionId");
    RawValue version = reply.get("setVersion");
    RawValue topology = reply.get("topologyVersion");
    return new HostDescription(
        host,
        kind(reply),
        text(reply, "setName"),
        me == null ? null : HostAndPort.parse(me),
        hosts,
        election != null && election.type() == ElementType.OBJECT_ID ? election.asObjectId() : null,
        version != null && version.isNumber() ? (int) version.toLong() : -1,
        tags(reply.get("tags")),
        lastWriteMillis(reply),
        nowMillis,
        topology != null && topology.isDocument() ? topology.asDocument().detached() : null,
        null);
  }

  private static Kind kind(RawDocument reply) {
    if (isTrue(reply, "isreplicaset")) {
      return Kind.GHOST;
    }
    if (text(reply, "setName") == null) {
      return Kind.STANDALONE;
    }
    if (isTrue(reply, "isWritablePrimary")) {
      return Kind.PRIMARY;
    }
    if (isTrue(reply, "hidden")) {
      return Kind.OTHER;
    }
    if (isTrue(reply, "secondary")) {
      return Kind.SECONDARY;
    }
    return isTrue(reply, "arbiterOnly") ? Kind.ARBITER : Kind.OTHER;
  }

  private static boolean isTrue(RawDocument reply, String field) {
    RawValue value = reply.get(field);
    return value != null && value.isTruthy();
  }

  private static String text(RawDocument reply, String field) {
    RawValue value = reply.get(field);
    return value != null && value.isString() ? value.asString() : null;
  }

  private static void addHosts(Set<HostAndPort> hosts, RawValue list) {
    if (list == null || !list.isArray()) {
      return;
    }
    ElementCursor each = list.elements();
    while (each.next()) {
      hosts.add(HostAndPort.parse(each.value().asString()));
    }
  }

  /** Tags as members and read preferences have them. */
  static Map<String, String> tags(RawValue given) {
    var tags = new LinkedHashMap<String, String>();
    if (given != null && given.isDocument()) {
      ElementCursor each = given.elements();
      while (each.next()) {
        if (each.value().isString()) {
          tags.put(each.name(), each.value().asString());
        }
      }
    }
    return tags;
  }

  private static long lastWriteMillis(RawDocument reply) {
    RawValue lastWrite = reply.get("lastWrite");
    RawValue date =
        lastWrite != null && lastWrite.isDocument()
            ? lastWrite.asDocument().get("lastWriteDate")
            : null;
    return date != null && date.type() == ElementType.DATE ? date.asInt64() : 0;
  }

  boolean isData() {
    return kind == Kind.PRIMARY || kind == Kind.SECONDARY;
  }

  /** Whether this was said before the other one, by the same process. */
  boolean isOlderThan(HostDescription other) {
    if (topologyVersion == null || other.topologyVersion == null) {
      return false;
    }
    RawValue process = topologyVersion.get("processId");
    RawValue counter = topologyVersion.get("counter");
    RawValue otherCounter = other.topologyVersion.get("counter");
    return process != null
        && process.equals(other.topologyVersion.get("processId"))
        && counter != null
        && otherCounter != null
        && counter.toLong() < otherCounter.toLong();
  }
}
