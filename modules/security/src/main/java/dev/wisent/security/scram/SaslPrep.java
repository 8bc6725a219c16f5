package dev.wisent.security.scram;

import com.ongres.saslprep.SASLprep;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/** Passwords that look the same become the same (RFC 4013). */
public final class SaslPrep {
  private SaslPrep() {}

  /** The prepared password; fails if it has characters that no password may have. */
  public static String prepare(String password) {
    if (password.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      return password;
    }
    try {
      return new SASLprep().prepareStored(password);
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Error preflighting normalization: U_STRINGPREP_PROHIBITED_ERROR");
    }
  }
}
