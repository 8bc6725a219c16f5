package dev.wisent.server.message;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.types.ObjectId;

/** Commands before a login that are nearly right: known fields, with values of any kind. */
final class RandomLogins {
  private static final List<String> MECHANISMS =
      List.of("SCRAM-SHA-256", "SCRAM-SHA-1", "MONGODB-X509", "PLAIN", "GSSAPI", "");

  private static final List<String> DATABASES =
      List.of("admin", "$external", "local", "test", "", "a.b", "config");

  private static final List<String> USERS =
      List.of("anna", "__system", "eve", "", "=2C=3D", "\u00ad");

  private static final List<String> FIELDS =
      List.of(
          "helloOk",
          "client",
          "compression",
          "saslSupportedMechs",
          "speculativeAuthenticate",
          "topologyVersion",
          "maxAwaitTimeMS",
          "hostInfo",
          "internalClient",
          "loadBalanced",
          "comment",
          "apiVersion",
          "apiStrict",
          "lsid",
          "txnNumber",
          "$clusterTime",
          "$readPreference",
          "maxTimeMS",
          "readConcern",
          "writeConcern",
          "mechanism",
          "payload",
          "conversationId",
          "options",
          "autoAuthorize",
          "user",
          "db");

  private static final String NONCE = "fyko+d2lbbFgONRv9qkxdawL";
  private static final int DEPTH_MAX = 3;
  private static final String ALPHABET = "nrcsvpiym=,abcXYZ019+/ \u0000\u00e9";

  private final SplittableRandom random;

  RandomLogins(SplittableRandom random) {
    this.random = random;
  }

  private <T> T of(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Mostly the usual one. */
  private String of(String usual, List<String> list) {
    return rarely() ? of(list) : usual;
  }

  private boolean rarely() {
    return random.nextInt(8) == 0;
  }

  /** The first message of a connection. */
  RawDocument begin() {
    BsonBuilder command =
        switch (random.nextInt(4)) {
          case 0 -> saslStart(new BsonBuilder());
          case 1 -> authenticate(new BsonBuilder());
          default -> hello();
        };
    return end(command);
  }

  /**
   * A message that goes on with a login.
   *
   * @param serverFirst what the server has said last; null if that was nothing
   */
  RawDocument proceed(byte[] serverFirst) {
    if (rarely()) {
      return begin();
    }
    var command = new BsonBuilder();
    number(command, "saslContinue", 1);
    number(command, "conversationId", 1);
    payload(command, changed(proof(serverFirst)));
    return end(command);
  }

  private BsonBuilder hello() {
    var command = new BsonBuilder();
    number(command, of(List.of("hello", "isMaster", "ismaster")), 1);
    if (!rarely()) {
      client(command);
    }
    if (random.nextBoolean()) {
      command.appendString("saslSupportedMechs", of("admin", DATABASES) + "." + of(USERS));
    }
    if (random.nextBoolean()) {
      BsonBuilder login = command.startDocument("speculativeAuthenticate");
      if (random.nextBoolean()) {
        saslStart(login);
      } else {
        authenticate(login);
      }
      login.appendString("db", of("admin", DATABASES)).end();
    }
    if (rarely()) {
      command.startDocument("topologyVersion");
      command.appendObjectId("processId", new ObjectId(random.nextInt(), random.nextInt(1 << 24)));
      command.appendInt64("counter", random.nextInt(3)).end();
      number(command, "maxAwaitTimeMS", random.nextInt(3));
    }
    return command;
  }

  private void client(BsonBuilder command) {
    command.startDocument("client");
    command.startDocument("driver").appendString("name", text()).appendString("version", "1").end();
    command.startDocument("os").appendString("type", text()).end();
    if (rarely()) {
      value(command, "application", 0);
    }
    command.end();
    command.startArray("compression");
    for (int i = random.nextInt(3); i > 0; i--) {
      command.append(i, RawValue.ofString(of(List.of("snappy", "zlib", "zstd", "noop", "lz4"))));
    }
    command.end();
  }

  private BsonBuilder saslStart(BsonBuilder command) {
    number(command, "saslStart", 1);
    command.appendString(
        "mechanism", of(random.nextBoolean() ? "SCRAM-SHA-256" : "SCRAM-SHA-1", MECHANISMS));
    String first = of("n,,", List.of("y,,", "p=tls-unique,,", "n,a=anna,")) + "n=" + of(USERS);
    payload(command, changed(first + ",r=" + (rarely() ? text() : NONCE)));
    if (random.nextBoolean()) {
      command.startDocument("options").appendBoolean("skipEmptyExchange", random.nextBoolean());
      command.end();
    }
    return command;
  }

  private BsonBuilder authenticate(BsonBuilder command) {
    number(command, "authenticate", 1);
    command.appendString("mechanism", of("MONGODB-X509", MECHANISMS));
    if (random.nextBoolean()) {
      command.appendString("user", rarely() ? text() : "CN=" + of(USERS));
    }
    return command;
  }

  private BsonBuilder number(BsonBuilder command, String name, int value) {
    return switch (random.nextInt(30)) {
      case 0 -> command.appendInt64(name, random.nextLong());
      case 1 -> command.appendDouble(name, Double.longBitsToDouble(random.nextLong()));
      case 2 -> value(command, name, 0);
      default -> command.appendInt32(name, value);
    };
  }

  private void payload(BsonBuilder command, byte[] bytes) {
    switch (random.nextInt(8)) {
      case 0 -> command.appendString("payload", Base64.getEncoder().encodeToString(bytes));
      case 1 -> value(command, "payload", 0);
      default -> command.appendBinary("payload", (byte) (rarely() ? 2 : 0), bytes);
    }
  }

  /** Some more fields, and the database. */
  private RawDocument end(BsonBuilder command) {
    for (int i = rarely() ? random.nextInt(4) : 0; i > 0; i--) {
      value(command, of(FIELDS), 0);
    }
    return command.appendString("$db", of("admin", DATABASES)).toDocument();
  }

  private BsonBuilder value(BsonBuilder command, String name, int depth) {
    switch (random.nextInt(depth < DEPTH_MAX ? 11 : 9)) {
      case 0 -> command.appendInt32(name, random.nextInt(-2, 3));
      case 1 -> command.appendInt64(name, random.nextLong());
      case 2 -> command.appendDouble(name, random.nextInt(3) - 0.5);
      case 3 -> command.appendBoolean(name, random.nextBoolean());
      case 4 -> command.appendNull(name);
      case 5 -> command.appendString(name, text());
      case 6 -> command.appendDate(name, random.nextLong());
      case 7 -> command.appendTimestamp(name, random.nextLong());
      case 8 -> {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        command.appendBinary(name, (byte) random.nextInt(8), bytes);
      }
      default -> {
        boolean array = random.nextBoolean();
        BsonBuilder inner = array ? command.startArray(name) : command.startDocument(name);
        for (int i = random.nextInt(4); i > 0; i--) {
          value(inner, array ? Integer.toString(i) : of(FIELDS), depth + 1);
        }
        inner.end();
      }
    }
    return command;
  }

  private String text() {
    var text = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** With the nonce of the server, if it has sent one, and a proof of no password. */
  private static String proof(byte[] serverFirst) {
    String said = serverFirst == null ? "" : new String(serverFirst, StandardCharsets.UTF_8);
    int end = said.indexOf(',');
    String nonce = said.startsWith("r=") && end > 0 ? said.substring(2, end) : NONCE;
    return "c=biws,r=" + nonce + ",p=" + Base64.getEncoder().encodeToString(new byte[32]);
  }

  private byte[] changed(String payload) {
    var text = new StringBuilder(payload);
    for (int i = random.nextInt(6) - 3; i > 0 && !text.isEmpty(); i--) {
      int at = random.nextInt(text.length());
      char other = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      switch (random.nextInt(4)) {
        case 0 -> text.setCharAt(at, other);
        case 1 -> text.insert(at, other);
        case 2 -> text.deleteCharAt(at);
        default -> text.setLength(at);
      }
    }
    if (random.nextInt(2_000) == 0) {
      text.append(",x=").repeat("y", 5_000);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
