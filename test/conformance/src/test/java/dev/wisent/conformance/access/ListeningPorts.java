package dev.wisent.conformance.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The TCP ports that a process listens on, as the kernel knows them. */
final class ListeningPorts {
  private static final String LISTEN = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int HEX = 16;

  private ListeningPorts() {}

  static boolean areKnown() {
    return Files.isReadable(Path.of("/proc/self/net/tcp"));
  }

  static Set<Integer> of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Set<String> inodes = sockets(process.resolve("fd"));
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      Path file = process.resolve(table);
      if (Files.exists(file)) {
        addListening(Files.readAllLines(file), inodes, ports);
      }
    }
    return ports;
  }

  private static void addListening(List<String> lines, Set<String> inodes, Set<Integer> ports) {
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.strip().split("\\s+");
      if (fields[STATE].equals(LISTEN) && inodes.contains(fields[INODE])) {
        String address = fields[ADDRESS];
        ports.add(Integer.parseInt(address.substring(address.indexOf(':') + 1), HEX));
      }
    }
  }

  /** The inodes of the sockets among the open files of a process. */
  private static Set<String> sockets(Path files) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (Stream<Path> open = Files.list(files)) {
      for (Path file : open.toList()) {
        String target;
        try {
          target = Files.readSymbolicLink(file).toString();
        } catch (NoSuchFileException closed) {
          continue;
        }
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    }
    return inodes;
  }
}
