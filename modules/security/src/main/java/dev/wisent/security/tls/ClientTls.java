package dev.wisent.security.tls;

import dev.wisent.security.tls.TlsOptions.CertificateFile;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** How a client encrypts its connections, as connection strings say it. Immutable. */
public final class ClientTls {
  private final SSLContext context;
  private final boolean verifiesHosts;

  /**
   * What a connection string says.
   *
   * @param certificate what the client shows
   * @param caFile those that sign certificates of servers; empty for those that the runtime trusts
   * @param invalidCertificates whether any certificate will do
   * @param invalidHostnames whether certificates may name other hosts
   */
  public record Options(
      Optional<CertificateFile> certificate,
      Optional<Path> caFile,
      boolean invalidCertificates,
      boolean invalidHostnames) {}

  private ClientTls(SSLContext context, boolean verifiesHosts) {
    this.context = context;
    this.verifiesHosts = verifiesHosts;
  }

  /**
   * Reads the files.
   *
   * @throws TlsException if one of them is of no use
   */
  public static ClientTls load(Options options) {
    SSLContext context =
        context(
            options.certificate(),
            options.caFile(),
            Optional.empty(),
            options.invalidCertificates());
    return new ClientTls(context, !options.invalidCertificates() && !options.invalidHostnames());
  }

  /**
   * The same for programs that connect by themselves.
   *
   * @param crlFile a list of each signer of what was taken back
   * @throws TlsException if one of the files is of no use
   */
  public static SSLContext context(
      Optional<CertificateFile> certificate,
      Optional<Path> caFile,
      Optional<Path> crlFile,
      boolean invalidCertificates) {
    X509ExtendedTrustManager strict =
        caFile.map(file -> TrustedSigners.read(file, crlFile)).orElseGet(TrustedSigners::ofRuntime);
    X509ExtendedTrustManager trust = invalidCertificates ? new AnyCertificate(strict) : strict;
    KeyManager[] keys =
        certificate
            .map(file -> new KeyManager[] {CertificateKey.read(file)})
            .orElseGet(() -> new KeyManager[0]);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new TlsException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  /** Shakes hands on a connection; closing {@code connected} ends that, too. */
  public Socket secure(Socket connected, String host, int port) throws IOException {
    var socket = (SSLSocket) context.getSocketFactory().createSocket(connected, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    if (verifiesHosts) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    socket.setSSLParameters(parameters);
    try {
      socket.startHandshake();
    } catch (SSLException e) {
      throw new IOException("TLS with " + host + ":" + port + ": " + e.getMessage(), e);
    }
    return socket;
  }
}
