package dev.wisent.bench.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The client's side of one login by SCRAM-SHA-256 (RFC 5802, RFC 7677). For one thread. */
public final class ScramClient {
  private static final int NONCE_BYTES = 24;
  private static final String HEADER = "n,,";

  private final Login login;
  private final String nonce;
  private byte[] expectedSignature;

  public ScramClient(Login login) {
    this(login, newNonce());
  }

  ScramClient(Login login, String nonce) {
    this.login = login;
    this.nonce = nonce;
  }

  private static String newNonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    ThreadLocalRandom.current().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private String bare() {
    return "n=" + login.user().replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
  }

  public byte[] first() {
    return (HEADER + bare()).getBytes(StandardCharsets.UTF_8);
  }

  /** The proof, in answer to the first message of the server. */
  public byte[] prove(byte[] serverFirst) throws IOException {
    String text = new String(serverFirst, StandardCharsets.UTF_8);
    String both = attribute(text, 'r');
    if (!both.startsWith(nonce)) {
      throw new IOException("the server does not continue the nonce: " + text);
    }
    byte[] salted =
        login.saltedPassword(attribute(text, 's'), Integer.parseInt(attribute(text, 'i')));
    String withoutProof = "c=biws,r=" + both;
    String signed = bare() + "," + text + "," + withoutProof;
    byte[] proof = hmac(salted, "Client Key");
    byte[] signature = hmac(sha256(proof), signed);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= signature[i];
    }
    expectedSignature = hmac(hmac(salted, "Server Key"), signed);
    return (withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Fails if the server does not know the password, too. */
  public void verify(byte[] serverFinal) throws IOException {
    String signature = attribute(new String(serverFinal, StandardCharsets.UTF_8), 'v');
    if (!MessageDigest.isEqual(Base64.getDecoder().decode(signature), expectedSignature)) {
      throw new IOException("the server's signature is wrong");
    }
  }

  private static String attribute(String message, char name) throws IOException {
    for (String part : message.split(",", -1)) {
      if (part.length() > 1 && part.charAt(0) == name && part.charAt(1) == '=') {
        return part.substring(2);
      }
    }
    throw new IOException("no '" + name + "' in the server's message: " + message);
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
