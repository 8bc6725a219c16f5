package dev.wisent.security.scram;

import java.security.MessageDigest;
import java.util.List;

/**
 * The server's side of one login. A message that is not as it must be, and a proof that is wrong,
 * end it with {@link ScramException}; it is of no use after that.
 */
public final class ScramServerConversation {
  /** Longer payloads are refused before they are looked at. */
  public static final int PAYLOAD_BYTES_MAX = 4096;

  private static final byte[] EMPTY = {};

  private final ScramMechanism mechanism;
  private final Users users;
  private final String serverNonce;
  private final boolean skipsEmptyExchange;

  private Stage stage = Stage.FIRST;
  private ClientFirst first;
  private List<ScramCredential> credentials;
  private String nonce;
  private String serverFirst;

  private enum Stage {
    FIRST,
    FINAL,
    EMPTY,
    ENDED
  }

  /** What is stored of users. */
  @FunctionalInterface
  public interface Users {
    /**
     * At least one credential, also for a user that does not exist. If there are several, one of
     * them has to fit; they share salt and iteration count.
     */
    List<ScramCredential> credentials(String user) throws ScramException;
  }

  /**
   * An answer.
   *
   * @param isDone whether the client has proven itself, and nothing else is expected
   */
  public record Answer(byte[] payload, boolean isDone) {}

  /**
   * @param secret random bytes for the nonce
   * @param skipsEmptyExchange whether the signature of the server ends the conversation; otherwise
   *     an empty message of the client does
   */
  public ScramServerConversation(
      ScramMechanism mechanism, Users users, byte[] secret, boolean skipsEmptyExchange) {
    this(mechanism, users, ScramText.base64(secret), skipsEmptyExchange);
  }

  ScramServerConversation(
      ScramMechanism mechanism, Users users, String serverNonce, boolean skipsEmptyExchange) {
    this.mechanism = mechanism;
    this.users = users;
    this.serverNonce = serverNonce;
    this.skipsEmptyExchange = skipsEmptyExchange;
  }

  public ScramMechanism mechanism() {
    return mechanism;
  }

  /** Whom the client wants to be; empty before it has said so. */
  public String user() {
    return first == null ? "" : first.user();
  }

  public Answer answer(byte[] payload) throws ScramException {
    Stage current = stage;
    stage = Stage.ENDED;
    if (payload.length > PAYLOAD_BYTES_MAX) {
      throw new ScramException("SCRAM payload is too long: " + payload.length + " bytes");
    }
    return switch (current) {
      case FIRST -> start(payload);
      case FINAL -> finish(payload);
      case EMPTY -> new Answer(EMPTY, true);
      case ENDED -> throw new ScramException("Invalid SCRAM authentication step");
    };
  }

  private Answer start(byte[] payload) throws ScramException {
    first = ClientFirst.parse(payload);
    credentials = users.credentials(first.user());
    ScramCredential shown = credentials.getFirst();
    nonce = first.nonce() + serverNonce;
    serverFirst = "r=" + nonce + ",s=" + shown.salt() + ",i=" + shown.iterationCount();
    stage = Stage.FINAL;
    return new Answer(ScramText.encode(serverFirst), false);
  }

  private Answer finish(byte[] payload) throws ScramException {
    String text = ScramText.decode(payload);
    int end = text.lastIndexOf(',');
    if (end < 0) {
      throw new ScramException(
          "Incorrect number of arguments for second SCRAM client message, expected at least 3");
    }
    String withoutProof = text.substring(0, end);
    byte[] proof =
        ScramText.base64(ScramText.attribute(new String[] {text.substring(end + 1)}, 0, 'p'));
    String[] parts = withoutProof.split(",", -1);
    if (!ScramText.attribute(parts, 0, 'c')
        .equals(ScramText.base64(ScramText.encode(first.header())))) {
      throw new ScramException("Incorrect SCRAM channel binding");
    }
    if (!ScramText.nonce(parts, 1).equals(nonce)) {
      throw new ScramException("Unmatched SCRAM nonce received from client in second step");
    }
    byte[] signed = ScramText.encode(first.bare() + "," + serverFirst + "," + withoutProof);
    ScramCredential proven = provenBy(proof, signed);
    stage = skipsEmptyExchange ? Stage.ENDED : Stage.EMPTY;
    byte[] signature = mechanism.hmac(proven.serverKeyBytes(), signed);
    return new Answer(ScramText.encode("v=" + ScramText.base64(signature)), skipsEmptyExchange);
  }

  /** Looks at all credentials, so that the time does not tell which one fits. */
  private ScramCredential provenBy(byte[] proof, byte[] signed) throws ScramException {
    ScramCredential proven = null;
    for (ScramCredential credential : credentials) {
      byte[] storedKey = credential.storedKeyBytes();
      byte[] clientKey = mechanism.hmac(storedKey, signed);
      boolean fits = proof.length == clientKey.length;
      for (int i = 0; i < clientKey.length && fits; i++) {
        clientKey[i] ^= proof[i];
      }
      if (MessageDigest.isEqual(mechanism.hash(clientKey), storedKey) && fits) {
        proven = credential;
      }
    }
    if (proven == null) {
      throw new ScramException("SCRAM authentication failed, storedKey mismatch");
    }
    return proven;
  }
}
