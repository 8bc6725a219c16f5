package dev.wisent.tools.connection;

import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import java.util.List;
import java.util.Set;

/** The flags by which all tools reach a server, under the names of MongoDB's tools. */
public final class ConnectionFlags {
  private static final Set<String> GENERAL = Set.of("help", "version", "verbose", "quiet");
  private static final String NO_KERBEROS = "there is no Kerberos";

  private ConnectionFlags() {}

  /** Help, messages. */
  public static void general(FlagTable table) {
    table
        .group(
            "General",
            List.of(
                FlagSpec.on("help", "show this help"),
                FlagSpec.on("version", "show the version"),
                FlagSpec.value(
                    "config",
                    "FILE",
                    "a YAML file with password, uri or sslPEMKeyPassword, which are then not on the"
                        + " command line")))
        .group(
            "Messages",
            List.of(
                FlagSpec.count("verbose", "more details; may be repeated").letter('v'),
                FlagSpec.on("quiet", "say nothing but what went wrong")));
  }

  /** Whether a flag is about the run of any tool, with a server or without one. */
  public static boolean isGeneral(String name) {
    return GENERAL.contains(name);
  }

  /** All of {@link #general} and how to connect. */
  public static void add(FlagTable table) {
    general(table);
    table
        .group(
            "Connection",
            List.of(
                FlagSpec.value("uri", "URI", "mongodb://... or mongodb+srv://..."),
                FlagSpec.value(
                        "host", "HOST", "[SET/]HOST[:PORT],... (default: localhost); SET for a set")
                    .letter('h'),
                FlagSpec.value("port", "PORT", "(default: 27017)")))
        .group(
            "Login",
            List.of(
                FlagSpec.value("username", "NAME", "who logs in").letter('u'),
                FlagSpec.value("password", "TEXT", "asked for if it is missing").letter('p'),
                FlagSpec.value("authenticationDatabase", "DATABASE", "where the user was created"),
                FlagSpec.value(
                    "authenticationMechanism",
                    "NAME",
                    "SCRAM-SHA-256, SCRAM-SHA-1, MONGODB-X509 or PLAIN")));
    FlagSpec ssl = FlagSpec.on("ssl", "encrypt the connection");
    FlagSpec ca = FlagSpec.value("sslCAFile", "FILE", "who signs the server's certificate");
    FlagSpec key = FlagSpec.value("sslPEMKeyFile", "FILE", "the client's certificate and key");
    FlagSpec password = FlagSpec.value("sslPEMKeyPassword", "TEXT", "of that key");
    FlagSpec crl = FlagSpec.value("sslCRLFile", "FILE", "revoked certificates");
    FlagSpec certificates =
        FlagSpec.on("sslAllowInvalidCertificates", "accept any certificate of a server");
    FlagSpec names = FlagSpec.on("sslAllowInvalidHostnames", "accept certificates of other hosts");
    table
        .group(
            "TLS (each also as --tls..., as in a URI)",
            List.of(
                ssl,
                ssl.alias("tls"),
                ca,
                ca.alias("tlsCAFile"),
                key,
                key.alias("tlsCertificateKeyFile"),
                password,
                password.alias("tlsCertificateKeyFilePassword"),
                crl,
                crl.alias("tlsCRLFile"),
                certificates,
                certificates.alias("tlsAllowInvalidCertificates"),
                names,
                names.alias("tlsAllowInvalidHostnames"),
                FlagSpec.on("tlsInsecure", "accept any certificate of any host")))
        .refuse("sslFIPSMode", "the runtime's TLS is not certified by FIPS 140")
        .refuse("gssapi*", NO_KERBEROS)
        .refuse("awsSessionToken", "there is no login by AWS")
        .refuse("dialTimeout", "give it in the URI: ?connectTimeoutMS=...")
        .refuse("socketTimeout", "give it in the URI: ?socketTimeoutMS=...")
        .refuse("TCPKeepAliveSeconds", "the system's setting is used")
        .refuse("numThreads", "threads follow from what is done at a time")
        .refuse("compressors", "give it in the URI: ?compressors=zstd");
  }

  /** A database and a collection. */
  public static void namespace(FlagTable table, String what) {
    table.group(
        what,
        List.of(
            FlagSpec.value("db", "DATABASE", "the database").letter('d'),
            FlagSpec.value("collection", "COLLECTION", "the collection").letter('c')));
  }
}
