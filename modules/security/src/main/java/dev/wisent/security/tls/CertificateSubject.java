package dev.wisent.security.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Whom a certificate is for. */
public final class CertificateSubject {
  /** Names that OpenSSL has for what RFC 2253 would print as numbers. */
  private static final Map<String, String> NAMES =
      Map.of(
          "1.2.840.113549.1.9.1", "emailAddress",
          "2.5.4.4", "SN",
          "2.5.4.5", "serialNumber",
          "2.5.4.12", "title",
          "2.5.4.42", "GN",
          "2.5.4.43", "initials",
          "2.5.4.44", "generationQualifier",
          "2.5.4.46", "dnQualifier");

  /** What the certificates of a cluster's members have in common. */
  private static final Set<String> OF_CLUSTER = Set.of("O", "OU", "DC");

  private CertificateSubject() {}

  /** The name of the user, in the form of RFC 2253 as MongoDB prints it. */
  public static String userName(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName(X500Principal.RFC2253, NAMES);
  }

  /** Whether two certificates have the same organization, unit and domain, and at least one. */
  public static boolean isOfSameCluster(X509Certificate one, X509Certificate other) {
    List<String> attributes = ofCluster(one);
    return !attributes.isEmpty() && attributes.equals(ofCluster(other));
  }

  private static List<String> ofCluster(X509Certificate certificate) {
    try {
      return new LdapName(certificate.getSubjectX500Principal().getName(X500Principal.RFC2253))
          .getRdns().stream()
              .filter(rdn -> OF_CLUSTER.contains(rdn.getType().toUpperCase(Locale.ROOT)))
              .map(Rdn::toString)
              .sorted()
              .toList();
    } catch (InvalidNameException e) {
      return List.of();
    }
  }
}
