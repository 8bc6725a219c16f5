package dev.wisent.server.authentication;

import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.UserName;
import dev.wisent.security.keyfile.KeyFile;
import dev.wisent.security.scram.ScramClientConversation;
import dev.wisent.security.scram.ScramKeys;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.InternalAuthentication;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How this server logs in to other nodes of its cluster: by one of the keys that it has, or by its
 * certificate. Keys are tried in turn, first the one that the node took before, so that the keys of
 * a cluster can be changed node by node. Thread-safe.
 */
public final class MemberLogin implements InternalAuthentication {
  private static final ScramMechanism MECHANISM = ScramMechanism.SHA_256;
  private static final int NONCE_BYTES = 24;
  private static final int DERIVED_MAX = 256;

  private final List<String> keys;
  private final boolean sendsCertificate;
  private final boolean mayFail;
  private final RandomSource random;

  /** Which key a node has taken. */
  private final Map<HostAndPort, Integer> taken = new ConcurrentHashMap<>();

  /** What was derived from keys; guarded by itself. */
  private final Map<Derived, ScramKeys> derived =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Derived, ScramKeys> eldest) {
          return size() > DERIVED_MAX;
        }
      };

  private record Derived(int key, String salt, int iterationCount) {}

  private MemberLogin(
      List<String> keys, boolean sendsCertificate, boolean mayFail, RandomSource random) {
    this.keys = List.copyOf(keys);
    this.sendsCertificate = sendsCertificate;
    this.mayFail = mayFail;
    this.random = random;
  }

  /**
   * As the options of a server want it.
   *
   * @param keys of the key file; none without one
   */
  public static InternalAuthentication of(
      AccessOptions options, List<String> keys, RandomSource random) {
    ClusterAuthMode mode = options.clusterAuthMode();
    boolean sendsCertificate = mode == ClusterAuthMode.SEND_X509 || mode == ClusterAuthMode.X509;
    return keys.isEmpty() && !sendsCertificate
        ? InternalAuthentication.NONE
        : new MemberLogin(keys, sendsCertificate, options.transition(), random);
  }

  /**
   * How a program that has the options of its servers calls them: as they call each other.
   *
   * @throws dev.wisent.base.CommandException if the key file is of no use
   * @throws dev.wisent.security.tls.TlsException if a file of certificates is of no use
   */
  public static MemberConnections connections(
      AccessOptions access, TlsOptions tls, RandomSource random) {
    List<String> keys = access.keyFile().map(KeyFile::read).orElse(List.<String>of());
    return new MemberConnections(TlsState.open(tls), of(access, keys, random));
  }

  @Override
  public void authenticate(HostAndPort host, Exchange exchange) throws IOException {
    RawDocument refusal = sendsCertificate ? showCertificate(exchange) : proveKey(host, exchange);
    if (refusal != null && !mayFail) {
      throw new IOException("the login as a member was refused: " + refusal.toJson());
    }
  }

  /** Returns the error of the other node; null if it has agreed. */
  private static RawDocument showCertificate(Exchange exchange) throws IOException {
    RawDocument reply =
        exchange.send(
            new BsonBuilder()
                .appendInt32("authenticate", 1)
                .appendString("mechanism", LoginSettings.X509)
                .appendString("$db", UserName.EXTERNAL)
                .toDocument());
    return CommandReplies.isOk(reply) ? null : reply;
  }

  private RawDocument proveKey(HostAndPort host, Exchange exchange) throws IOException {
    int first = taken.getOrDefault(host, 0);
    RawDocument refusal = null;
    for (int i = 0; i < keys.size(); i++) {
      int key = (first + i) % keys.size();
      refusal = prove(key, exchange);
      if (refusal == null) {
        taken.put(host, key);
        return null;
      }
    }
    return refusal;
  }

  private RawDocument prove(int key, Exchange exchange) throws IOException {
    var conversation =
        new ScramClientConversation(
            MECHANISM,
            UserName.SYSTEM.user(),
            (salt, iterations) -> derive(key, salt, iterations),
            random.nextSecret(NONCE_BYTES));
    return new ScramExchange(UserName.SYSTEM.database(), exchange).prove(MECHANISM, conversation);
  }

  private ScramKeys derive(int key, byte[] salt, int iterationCount) {
    var which = new Derived(key, Base64.getEncoder().encodeToString(salt), iterationCount);
    synchronized (derived) {
      return derived.computeIfAbsent(
          which, absent -> ScramKeys.derive(MECHANISM, keys.get(key), salt, iterationCount));
    }
  }
}
