package dev.wisent.security.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of a PEM file, in its order. Text around them is no part of it. */
final class PemFile {
  private static final int FILE_BYTES_MAX = 16 << 20;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  private static final Pattern HEADER = Pattern.compile("^[\\w-]+:", Pattern.MULTILINE);

  private final Path path;
  private final List<Block> blocks;

  private record Block(String label, byte[] der) {}

  private PemFile(Path path, List<Block> blocks) {
    this.path = path;
    this.blocks = blocks;
  }

  static PemFile read(Path path) {
    String text;
    try {
      if (Files.size(path) > FILE_BYTES_MAX) {
        throw new TlsException(path + " is too large for a PEM file");
      }
      text = Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new TlsException("no such file: " + path, e);
    } catch (IOException e) {
      throw new TlsException("cannot read " + path + ": " + e.getMessage(), e);
    }
    var blocks = new ArrayList<Block>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), decoded(path, matcher.group(1), matcher.group(2))));
    }
    if (blocks.isEmpty()) {
      throw new TlsException(path + " is no PEM file");
    }
    return new PemFile(path, blocks);
  }

  private static byte[] decoded(Path path, String label, String body) {
    if (HEADER.matcher(body.strip()).find()) {
      throw new TlsException(
          path
              + ": a "
              + label
              + " that is encrypted in OpenSSL's old way; 'openssl pkcs8 -topk8' writes PKCS#8");
    }
    try {
      return Base64.getMimeDecoder().decode(body.strip());
    } catch (IllegalArgumentException e) {
      throw new TlsException(path + ": the " + label + " is not encoded in Base64", e);
    }
  }

  /** All certificates; at least one. */
  List<X509Certificate> certificates() {
    var certificates = new ArrayList<X509Certificate>();
    for (Block block : blocks) {
      if (block.label().equals("CERTIFICATE") || block.label().equals("TRUSTED CERTIFICATE")) {
        try {
          certificates.add(
              (X509Certificate)
                  CertificateFactory.getInstance("X.509")
                      .generateCertificate(new ByteArrayInputStream(block.der())));
        } catch (GeneralSecurityException e) {
          throw new TlsException(path + " has a certificate that is damaged", e);
        }
      }
    }
    if (certificates.isEmpty()) {
      throw new TlsException(path + " has no certificate");
    }
    return certificates;
  }

  List<X509CRL> revocationLists() {
    var lists = new ArrayList<X509CRL>();
    for (Block block : blocks) {
      if (block.label().equals("X509 CRL")) {
        try {
          lists.add(
              (X509CRL)
                  CertificateFactory.getInstance("X.509")
                      .generateCRL(new ByteArrayInputStream(block.der())));
        } catch (GeneralSecurityException e) {
          throw new TlsException(path + " has a revocation list that is damaged", e);
        }
      }
    }
    if (lists.isEmpty()) {
      throw new TlsException(path + " has no revocation list");
    }
    return lists;
  }

  /** The first private key. */
  PrivateKey privateKey(Optional<String> password) {
    for (Block block : blocks) {
      if (block.label().endsWith("PRIVATE KEY")) {
        try {
          return PrivateKeys.decode(block.label(), block.der(), password);
        } catch (GeneralSecurityException | IOException e) {
          throw new TlsException(path + ": " + e.getMessage(), e);
        }
      }
    }
    throw new TlsException(path + " has no private key");
  }
}
