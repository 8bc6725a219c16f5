package dev.wisent.server.command;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The versions of the stable API that a command belongs to. In none of them is a command
 * deprecated.
 *
 * @param last below {@code first} if there is no such version
 */
public record ApiVersions(int first, int last) {
  public static final ApiVersions NO_API = new ApiVersions(1, 0);
  public static final ApiVersions V1 = new ApiVersions(1, 1);

  public boolean contains(String version) {
    return names().contains(version);
  }

  /** As clients write them. */
  public List<String> names() {
    return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
  }
}
