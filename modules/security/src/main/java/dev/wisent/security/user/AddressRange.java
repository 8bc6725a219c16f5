package dev.wisent.security.user;

import java.net.InetAddress;
import java.util.Arrays;

/** Addresses in CIDR notation; one without a length is that address alone. */
public final class AddressRange {
  private final byte[] address;
  private final int bits;

  private AddressRange(byte[] address, int bits) {
    this.address = address;
    this.bits = bits;
  }

  /** Fails with {@link IllegalArgumentException} if it is none. */
  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    byte[] address = bytes(slash < 0 ? text : text.substring(0, slash));
    int bitsMax = address.length * Byte.SIZE;
    int bits = slash < 0 ? bitsMax : Integer.parseInt(text.substring(slash + 1));
    if (bits < 0 || bits > bitsMax) {
      throw new IllegalArgumentException("a range of " + bits + " bits");
    }
    return new AddressRange(address, bits);
  }

  private static byte[] bytes(String literal) {
    return InetAddress.ofLiteral(literal).getAddress();
  }

  /**
   * Whether an address is in the range.
   *
   * @param literal an address without a port
   */
  public boolean contains(String literal) {
    byte[] other = bytes(literal);
    if (other.length != address.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    if (!Arrays.equals(address, 0, whole, other, 0, whole)) {
      return false;
    }
    int rest = bits % Byte.SIZE;
    return rest == 0 || (address[whole] ^ other[whole]) >> (Byte.SIZE - rest) == 0;
  }
}
