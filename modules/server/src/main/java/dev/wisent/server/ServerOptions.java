package dev.wisent.server;

import dev.wisent.replication.raft.InProcessPeers;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.profile.ProfilingOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a server is started.
 *
 * @param port 0 to take any free one
 * @param portByDefault whether the port was not asked for, but is that of the node's role
 * @param cacheBytes memory for data blocks; 0 to choose by the machine
 * @param setParameters start-up parameters by name
 * @param argv the command line as getCmdLineOpts shows it
 * @param ipv6 whether host names are bound at their IPv6 addresses too
 * @param noTableScan whether queries that would scan a whole collection are refused
 * @param scripting whether functions in JavaScript are run
 * @param profiling which operations are reported
 * @param replicaSet the name of the set that this node is for; empty for a standalone
 * @param raftPort where the other members reach this one's log; 0 to choose one and stay with it
 * @param inProcessLog the members that replicate with this one within the process; empty to
 *     replicate over the network
 * @param oplogMegabytes how large a new set's oplog may become; 0 for a part of the free space
 * @param clusterRole what this node is for in a sharded cluster
 * @param configDb where a router finds the config servers, as {@code set/host:port,...}; empty for
 *     any other server
 * @param access who may come in
 * @param tls how connections are encrypted
 * @param audit where it is recorded what is done
 * @param redactsClientData whether the log has no values of clients
 */
public record ServerOptions(
    Path dbPath,
    int port,
    boolean portByDefault,
    List<String> bindAddresses,
    long cacheBytes,
    int journalIntervalMillis,
    int maxConnections,
    Map<String, String> setParameters,
    List<String> argv,
    boolean ipv6,
    boolean noTableScan,
    boolean scripting,
    ProfilingOptions profiling,
    Optional<String> replicaSet,
    int raftPort,
    Optional<InProcessPeers> inProcessLog,
    int oplogMegabytes,
    ClusterRole clusterRole,
    Optional<String> configDb,
    AccessOptions access,
    TlsOptions tls,
    AuditOptions audit,
    boolean redactsClientData) {
  public static final int DEFAULT_PORT = 27017;

  public ServerOptions {
    bindAddresses = List.copyOf(bindAddresses);
    setParameters = Map.copyOf(setParameters);
    argv = List.copyOf(argv);
  }

  public static Builder builder(Path dbPath) {
    return new Builder(dbPath);
  }

  /** Starts from the defaults. */
  public static final class Builder {
    private final Path dbPath;
    private int port = DEFAULT_PORT;
    private boolean portByDefault;
    private List<String> bindAddresses = List.of("127.0.0.1");
    private long cacheBytes;
    private int journalIntervalMillis = 100;
    private int maxConnections = 65_536;
    private final Map<String, String> setParameters = new TreeMap<>();
    private List<String> argv = List.of("wisent", "server");
    private boolean ipv6;
    private boolean noTableScan;
    private boolean scripting = true;
    private ProfilingOptions profiling = ProfilingOptions.DEFAULTS;
    private String replicaSet;
    private int raftPort;
    private InProcessPeers inProcessLog;
    private int oplogMegabytes;
    private ClusterRole clusterRole = ClusterRole.NONE;
    private String configDb;
    private AccessOptions access = AccessOptions.OPEN;
    private TlsOptions tls = TlsOptions.OFF;
    private AuditOptions audit = AuditOptions.OFF;
    private boolean redactsClientData;

    private Builder(Path dbPath) {
      this.dbPath = dbPath;
    }

    public Builder port(int value) {
      port = value;
      return this;
    }

    public Builder portByDefault(boolean value) {
      portByDefault = value;
      return this;
    }

    public Builder bindAddresses(List<String> value) {
      bindAddresses = value;
      return this;
    }

    public Builder cacheBytes(long value) {
      cacheBytes = value;
      return this;
    }

    public Builder journalIntervalMillis(int value) {
      journalIntervalMillis = value;
      return this;
    }

    public Builder maxConnections(int value) {
      maxConnections = value;
      return this;
    }

    public Builder setParameter(String name, String value) {
      setParameters.put(name, value);
      return this;
    }

    public Builder argv(List<String> value) {
      argv = value;
      return this;
    }

    public Builder ipv6(boolean value) {
      ipv6 = value;
      return this;
    }

    public Builder noTableScan(boolean value) {
      noTableScan = value;
      return this;
    }

    public Builder scripting(boolean value) {
      scripting = value;
      return this;
    }

    public Builder profiling(ProfilingOptions value) {
      profiling = value;
      return this;
    }

    public Builder replicaSet(String value) {
      replicaSet = value;
      return this;
    }

    /** Where other processes reach the log: it is replicated over the network. */
    public Builder raftPort(int value) {
      raftPort = value;
      return logOverNetwork();
    }

    /** Has members of one process replicate without a network. Others cannot join their set. */
    public Builder logInProcess(InProcessPeers value) {
      inProcessLog = value;
      return this;
    }

    /**
     * Replicates over the network, also with members of other processes: the default of servers.
     */
    public Builder logOverNetwork() {
      inProcessLog = null;
      return this;
    }

    public Builder oplogMegabytes(int value) {
      oplogMegabytes = value;
      return this;
    }

    public Builder clusterRole(ClusterRole value) {
      clusterRole = value;
      return this;
    }

    /** Makes the server a router. */
    public Builder configDb(String value) {
      configDb = value;
      clusterRole = ClusterRole.ROUTER;
      return this;
    }

    public Builder access(AccessOptions value) {
      access = value;
      return this;
    }

    public Builder tls(TlsOptions value) {
      tls = value;
      return this;
    }

    public Builder audit(AuditOptions value) {
      audit = value;
      return this;
    }

    public Builder redactsClientData(boolean value) {
      redactsClientData = value;
      return this;
    }

    public ServerOptions build() {
      return new ServerOptions(
          dbPath,
          port,
          portByDefault,
          bindAddresses,
          cacheBytes,
          journalIntervalMillis,
          maxConnections,
          setParameters,
          argv,
          ipv6,
          noTableScan,
          scripting,
          profiling,
          Optional.ofNullable(replicaSet),
          raftPort,
          Optional.ofNullable(inProcessLog),
          oplogMegabytes,
          clusterRole,
          Optional.ofNullable(configDb),
          access,
          tls,
          audit,
          redactsClientData);
    }
  }
}
