package dev.wisent.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * CPU time and memory of processes and all their descendants.
 *
 * <p>PostgreSQL serves each connection in a process of its own. When one ends, the kernel adds its
 * CPU time to the "children" counters of its parent, so the sum over the live processes of own and
 * waited-for time never loses any of it.
 */
public final class ProcessTree {
  private static final Path PROC = Path.of("/proc");

  /** Linux reports process times to user space in hundredths of a second on all our platforms. */
  private static final long MICROS_PER_TICK = 10_000;

  private static final int ATTEMPTS = 5;

  private final List<Long> rootPids;

  public ProcessTree(long rootPid) {
    this(List.of(rootPid));
  }

  /** The trees of several processes, none of which descends from another. */
  public ProcessTree(List<Long> rootPids) {
    this.rootPids = List.copyOf(rootPids);
  }

  public static boolean supported() {
    return Files.isReadable(PROC.resolve("self/stat"));
  }

  public boolean alive() {
    return rootPids.stream().allMatch(pid -> Files.exists(PROC.resolve(Long.toString(pid))));
  }

  /** CPU time used so far by the tree, including members that have ended. */
  public long cpuMicros() {
    // A child that ends between the reading of its line and its parent's would be counted twice or
    // not at all, so read until the set of processes stands still.
    List<ProcessStat> before = members();
    for (int i = 0; i < ATTEMPTS; i++) {
      List<ProcessStat> after = members();
      if (pids(before).equals(pids(after))) {
        return after.stream().mapToLong(ProcessStat::cpuTicks).sum() * MICROS_PER_TICK;
      }
      before = after;
    }
    return before.stream().mapToLong(ProcessStat::cpuTicks).sum() * MICROS_PER_TICK;
  }

  /** Resident memory of the tree, with pages that several processes share counted once. */
  public long residentBytes() {
    long kibibytes = 0;
    for (ProcessStat member : members()) {
      kibibytes += residentKibibytes(PROC.resolve(Long.toString(member.pid())));
    }
    return kibibytes * 1024;
  }

  List<ProcessStat> members() {
    Map<Long, List<ProcessStat>> children = new HashMap<>();
    List<ProcessStat> tree = new ArrayList<>();
    Deque<ProcessStat> open = new ArrayDeque<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path directory : directories) {
        ProcessStat.read(directory)
            .ifPresent(
                stat -> {
                  children.computeIfAbsent(stat.parentPid(), _ -> new ArrayList<>()).add(stat);
                  if (rootPids.contains(stat.pid())) {
                    open.add(stat);
                  }
                });
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the processes in " + PROC, e);
    }
    while (!open.isEmpty()) {
      ProcessStat stat = open.remove();
      tree.add(stat);
      open.addAll(children.getOrDefault(stat.pid(), List.of()));
    }
    return tree;
  }

  private static Set<Long> pids(List<ProcessStat> members) {
    Set<Long> pids = new HashSet<>();
    members.forEach(member -> pids.add(member.pid()));
    return pids;
  }

  /** The proportional share where we may read it, otherwise the plain resident size. */
  private static long residentKibibytes(Path process) {
    long proportional = kibibytes(process.resolve("smaps_rollup"), "Pss:");
    return proportional >= 0
        ? proportional
        : Math.max(0, kibibytes(process.resolve("status"), "VmRSS:"));
  }

  private static long kibibytes(Path file, String label) {
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(label)) {
          return Long.parseLong(line.substring(label.length()).replace("kB", "").trim());
        }
      }
    } catch (IOException goneOrForbidden) {
      return -1;
    }
    return -1;
  }
}
