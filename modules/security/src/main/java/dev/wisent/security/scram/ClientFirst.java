package dev.wisent.security.scram;

/**
 * The first message of a client.
 *
 * @param header in front of the bare message, which the last message has to repeat
 * @param bare what both sides sign
 */
record ClientFirst(String header, String bare, String user, String nonce) {
  static ClientFirst parse(byte[] payload) throws ScramException {
    String text = ScramText.decode(payload);
    int flagEnd = text.indexOf(',');
    int headerEnd = flagEnd < 0 ? -1 : text.indexOf(',', flagEnd + 1);
    if (headerEnd < 0) {
      throw new ScramException(
          "Incorrect number of arguments for first SCRAM client message, expected at least 3");
    }
    checkFlag(text.substring(0, flagEnd));
    String bare = text.substring(headerEnd + 1);
    if (bare.startsWith("m=")) {
      throw new ScramException("SCRAM mandatory extensions are not supported");
    }
    String[] parts = bare.split(",", -1);
    String user = ScramText.unescape(ScramText.attribute(parts, 0, 'n'));
    checkAuthorizationId(text.substring(flagEnd + 1, headerEnd), user);
    return new ClientFirst(text.substring(0, headerEnd + 1), bare, user, ScramText.nonce(parts, 1));
  }

  private static void checkFlag(String flag) throws ScramException {
    if (flag.startsWith("p=")) {
      throw new ScramException("Server does not support channel binding");
    }
    if (!flag.equals("n") && !flag.equals("y")) {
      throw new ScramException("Incorrect SCRAM client message prefix");
    }
  }

  private static void checkAuthorizationId(String attribute, String user) throws ScramException {
    if (attribute.isEmpty()) {
      return;
    }
    if (!attribute.startsWith("a=")) {
      throw new ScramException("Incorrect SCRAM authzid");
    }
    String id = ScramText.unescape(attribute.substring(2));
    if (!id.isEmpty() && !id.equals(user)) {
      throw new ScramException("SCRAM user name does not match authzid");
    }
  }
}
