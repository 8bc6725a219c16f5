package dev.wisent.server.command;

/**
 * What a request says about the stable API.
 *
 * @param version null if it names none
 */
public record ApiArguments(String version, boolean strict, boolean deprecationErrors) {
  static final ApiArguments NONE = new ApiArguments(null, false, false);

  ApiArguments withVersion(String named) {
    return new ApiArguments(named, strict, deprecationErrors);
  }

  ApiArguments withStrict(boolean asked) {
    return new ApiArguments(version, asked, deprecationErrors);
  }

  ApiArguments withDeprecationErrors(boolean asked) {
    return new ApiArguments(version, strict, asked);
  }
}
