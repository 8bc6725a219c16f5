package dev.wisent.replication.raft;

import dev.wisent.base.log.Log;
import dev.wisent.replication.secret.LogKeys;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.replication.secret.MemberProof;
import dev.wisent.replication.secret.SecretFile;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;

/** What the port of the log is closed with. Guarded by the node. */
final class LogAccess {
  private final SecretFile file;
  private final LogKeys keys;
  private final Optional<InProcessPeers> inProcess;
  private final Log log;

  private volatile Optional<LogSecret> secret; // as in the file

  LogAccess(SecretFile file, LogKeys keys, Optional<InProcessPeers> inProcess, Log log) {
    this.file = file;
    this.keys = keys;
    this.inProcess = inProcess;
    this.log = log;
    this.secret = file.read();
  }

  Optional<LogSecret> secret() {
    return secret;
  }

  /**
   * Begins with a group.
   *
   * @param shared what its members share; null if nothing
   */
  void enter(LogSecret shared) {
    if (shared == null) {
      forget();
    } else {
      write(shared);
    }
  }

  /** Keeps a secret if there is none in force; returns whether this one is. */
  boolean keep(LogSecret shared) {
    if (secret.filter(LogSecret::isInForce).isPresent()) {
      return false;
    }
    write(shared);
    return shared.isInForce();
  }

  private void write(LogSecret shared) {
    file.write(shared);
    secret = Optional.of(shared);
  }

  void forget() {
    file.delete();
    secret = Optional.empty();
  }

  /** Whether peers have to prove themselves. */
  boolean isClosed() {
    return !keys.current().isEmpty() || secret.filter(LogSecret::isInForce).isPresent();
  }

  /**
   * What a server of a group, and its clients, are built with.
   *
   * @param standsBack whether the node does not stand for election
   * @param behind whether the node has not applied what it has to
   */
  Parameters parameters(UUID group, BooleanSupplier standsBack, BooleanSupplier behind) {
    // No other process can call: there is no port that had to be closed.
    return inProcess
        .map(peers -> InProcessTransport.parameters(peers, standsBack, behind))
        .orElseGet(() -> network(group, standsBack, behind));
  }

  private Parameters network(UUID group, BooleanSupplier standsBack, BooleanSupplier behind) {
    Parameters parameters = YieldingVotes.parameters(standsBack, behind);
    if (isClosed()) {
      var proof = new MemberProof(group, secret.orElse(null), keys);
      proof.prepare();
      GrpcConfigKeys.TLS.setConf(parameters, ClosedPort.transport(proof));
      GrpcConfigKeys.Server.setServicesCustomizer(parameters, new ClosedPort(proof));
    } else {
      log.warn(
          7_100_019,
          "The port of the replicated log is open to every process that reaches it, until all"
              + " members have the secret of the set");
      GrpcConfigKeys.Server.setServicesCustomizer(parameters, new OpenPort());
    }
    return parameters;
  }
}
