package dev.wisent.database.exec;

import java.util.Arrays;

/**
 * Records whose keys were found by distance and whose documents have not been read, the one that
 * may be nearest first. A heap of numbers, because a ring can have very many.
 */
final class NearCandidates {
  private static final int CAPACITY = 64;

  private double[] distances = new double[CAPACITY];
  private long[] recordIds = new long[CAPACITY];
  private int size;

  void add(double distance, long recordId) {
    if (size == distances.length) {
      distances = Arrays.copyOf(distances, 2 * size);
      recordIds = Arrays.copyOf(recordIds, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (distances[parent] <= distance) {
        break;
      }
      distances[at] = distances[parent];
      recordIds[at] = recordIds[parent];
      at = parent;
    }
    distances[at] = distance;
    recordIds[at] = recordId;
  }

  /** What the nearest one is not below; infinite if there is none. */
  double least() {
    return size == 0 ? Double.POSITIVE_INFINITY : distances[0];
  }

  /** Takes the record that may be nearest, of which there must be one. */
  long poll() {
    long nearest = recordIds[0];
    size--;
    double distance = distances[size];
    long recordId = recordIds[size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && distances[child + 1] < distances[child]) {
        child++;
      }
      if (distance <= distances[child]) {
        break;
      }
      distances[at] = distances[child];
      recordIds[at] = recordIds[child];
      at = child;
    }
    distances[at] = distance;
    recordIds[at] = recordId;
    return nearest;
  }
}
