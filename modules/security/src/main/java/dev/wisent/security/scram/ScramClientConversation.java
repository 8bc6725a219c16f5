package dev.wisent.security.scram;

import java.security.MessageDigest;

/** The client's side of one login. A server that does not know the password is found out. */
public final class ScramClientConversation {
  /** Without channel binding, and as the user itself. */
  private static final String HEADER = "n,,";

  /** What RFC 7677 asks for; less would make a stolen answer too easy to try passwords on. */
  private static final int ITERATIONS_MIN = 4096;

  /** A server cannot keep this side busy for minutes. */
  private static final int ITERATIONS_MAX = 10_000_000;

  private final ScramMechanism mechanism;
  private final ScramKeys.Source source;
  private final String nonce;
  private final String bare;

  private byte[] expectedSignature;

  /**
   * @param source the keys of the password
   * @param secret random bytes for the nonce
   */
  public ScramClientConversation(
      ScramMechanism mechanism, String user, ScramKeys.Source source, byte[] secret) {
    this(mechanism, user, source, ScramText.base64(secret));
  }

  ScramClientConversation(
      ScramMechanism mechanism, String user, ScramKeys.Source source, String nonce) {
    this.mechanism = mechanism;
    this.source = source;
    this.nonce = nonce;
    this.bare = "n=" + ScramText.escape(user) + ",r=" + nonce;
  }

  /** The payload that begins the conversation. */
  public byte[] first() {
    return ScramText.encode(HEADER + bare);
  }

  /** The proof, as an answer to the first payload of the server. */
  public byte[] prove(byte[] payload) throws ScramException {
    String serverFirst = ScramText.decode(payload);
    String[] parts = serverFirst.split(",", -1);
    String both = ScramText.nonce(parts, 0);
    if (!both.startsWith(nonce) || both.length() == nonce.length()) {
      throw new ScramException("The server's SCRAM nonce does not continue the client's");
    }
    byte[] salt = ScramText.base64(ScramText.attribute(parts, 1, 's'));
    ScramKeys keys = source.keys(salt, iterations(ScramText.attribute(parts, 2, 'i')));
    String withoutProof = "c=" + ScramText.base64(ScramText.encode(HEADER)) + ",r=" + both;
    byte[] signed = ScramText.encode(bare + "," + serverFirst + "," + withoutProof);
    byte[] proof = mechanism.hmac(keys.storedKey, signed);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= keys.clientKey[i];
    }
    expectedSignature = mechanism.hmac(keys.serverKey, signed);
    return ScramText.encode(withoutProof + ",p=" + ScramText.base64(proof));
  }

  private static int iterations(String text) throws ScramException {
    try {
      int count = Integer.parseInt(text);
      if (count >= ITERATIONS_MIN && count <= ITERATIONS_MAX) {
        return count;
      }
    } catch (NumberFormatException e) {
      throw new ScramException("Invalid SCRAM iteration count");
    }
    throw new ScramException("SCRAM iteration count out of bounds: " + text);
  }

  /** Fails if the last payload of the server does not prove that it knows the password, too. */
  public void verify(byte[] payload) throws ScramException {
    String[] parts = ScramText.decode(payload).split(",", -1);
    byte[] signature = ScramText.base64(ScramText.attribute(parts, 0, 'v'));
    if (expectedSignature == null || !MessageDigest.isEqual(signature, expectedSignature)) {
      throw new ScramException("The server's SCRAM signature is wrong");
    }
  }
}
