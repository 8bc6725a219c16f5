package dev.wisent.server.node;

import dev.wisent.replication.secret.LogKeys;
import dev.wisent.security.keyfile.KeyFile;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What proves membership on the port of the replicated log: the keys of the key file, read once at
 * the start. Members that log in by x.509 prove it by the secret of their set, which each of them
 * has got over a connection on which it was logged in.
 *
 * @param acceptsSetSecret whether the secret is enough as well, while members go over from one to
 *     the other, one by one
 */
record MemberLogKeys(List<byte[]> current, boolean acceptsSetSecret) implements LogKeys {
  static LogKeys of(AccessOptions access) {
    if (access.keyFile().isEmpty() || access.clusterAuthMode() == ClusterAuthMode.X509) {
      return LogKeys.NONE;
    }
    List<byte[]> keys =
        KeyFile.read(access.keyFile().get()).stream()
            .map(key -> key.getBytes(StandardCharsets.US_ASCII))
            .toList();
    boolean goingOver =
        access.transition() || access.clusterAuthMode() == ClusterAuthMode.SEND_X509;
    return new MemberLogKeys(keys, goingOver);
  }

  @Override
  public String toString() {
    return "MemberLogKeys";
  }
}
