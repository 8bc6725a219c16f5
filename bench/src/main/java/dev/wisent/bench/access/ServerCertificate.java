package dev.wisent.bench.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * A certificate for a server on this machine, signed by itself. The JDK's keytool makes it.
 *
 * @param file PEM, with the key
 */
public record ServerCertificate(Path file, X509Certificate certificate) {
  private static final String ALIAS = "server";
  private static final int DAYS = 30;

  /** Of an elliptic curve, as certificates of today are. */
  public static ServerCertificate create(Path directory) throws IOException {
    Path store = directory.resolve("certificate.p12");
    Path file = directory.resolve("certificate.pem");
    Files.deleteIfExists(store);
    String password = UUID.randomUUID().toString();
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-validity",
            Integer.toString(DAYS),
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            password);
    run(command);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, password.toCharArray());
      Key key = keys.getKey(ALIAS, password.toCharArray());
      X509Certificate certificate = (X509Certificate) keys.getCertificate(ALIAS);
      String pem = pem("CERTIFICATE", certificate.getEncoded());
      Files.writeString(file, pem + pem("PRIVATE KEY", key.getEncoded()));
      return new ServerCertificate(file, certificate);
    } catch (GeneralSecurityException e) {
      throw new IOException("no certificate: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(store);
    }
  }

  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException("keytool: " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String pem(String label, byte[] encoded) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(encoded), label);
  }
}
