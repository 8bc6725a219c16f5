package dev.wisent.query.geo;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/** An index of places in memory, and a search in it as a plan does one. */
final class NearIndex {
  private final GeoCells cells;
  private final List<RawDocument> documents;
  private final List<Entry> entries = new ArrayList<>();

  /** A key, behind a field that has one of some values. */
  private record Entry(int front, byte[] bytes, long key, int number) {}

  /** The numbers of documents, and what it took to find them. */
  record Outcome(List<Integer> found, int keys, int seeks) {}

  private record Candidate(double distance, int number) implements Comparable<Candidate> {
    @Override
    public int compareTo(Candidate other) {
      int order = Double.compare(distance, other.distance);
      return order != 0 ? order : Integer.compare(number, other.number);
    }
  }

  /**
   * @param fronts how many values the field in front has
   */
  NearIndex(GeoCells cells, List<RawDocument> documents, int fronts) {
    this.cells = cells;
    this.documents = documents;
    for (int i = 0; i < documents.size(); i++) {
      for (RawValue key : cells.keys(documents.get(i).get("a"), "a", documents.get(i))) {
        byte[] bytes = encode(key);
        long number = IndexKeyV1.int64(bytes, 0, bytes.length, false);
        entries.add(new Entry(i % fronts, bytes, number, i));
      }
    }
    entries.sort(NearIndex::compare);
  }

  private static int compare(Entry a, Entry b) {
    int front = Integer.compare(a.front, b.front);
    int key = front != 0 ? front : Arrays.compareUnsigned(a.bytes, b.bytes);
    return key != 0 ? key : Integer.compare(a.number, b.number);
  }

  private static byte[] encode(RawValue key) {
    return new IndexKeyV1.Encoder().append(key, false).toByteArray();
  }

  /** One search at work. */
  private final class Search {
    private final NearCells around;
    private final boolean inOrder;
    private final PriorityQueue<Candidate> candidates = new PriorityQueue<>();
    private int keys;
    private int seeks;

    Search(NearQuery near, boolean inOrder) {
      this.around = cells.around(near, inOrder);
      this.inOrder = inOrder;
    }

    private void read() {
      List<Bounds> ranges = around.next().stream().map(Bounds::of).toList();
      seeks += ranges.size();
      int read = 0;
      int first = inOrder ? firstFrom(ranges.getFirst().low) : 0;
      for (Entry entry : entries.subList(first, entries.size())) {
        boolean within = ranges.stream().anyMatch(range -> range.contains(entry.bytes));
        if (inOrder && !within) {
          around.finish(entry.key);
          return;
        }
        if (within) {
          read++;
          keys++;
          double least = around.least(entry.key);
          if (least < Double.POSITIVE_INFINITY) {
            candidates.add(new Candidate(least, entry.number));
          }
          if (around.isEnough(read, read)) {
            around.leave(entry.key, read);
            return;
          }
        }
      }
      around.finish();
    }

    /** The first entry with a key that is not below one. */
    private int firstFrom(byte[] low) {
      int place = Collections.binarySearch(entries, new Entry(0, low, 0, -1), NearIndex::compare);
      return -1 - place;
    }
  }

  /** A range of keys in their bytes. */
  private record Bounds(byte[] low, byte[] high) {
    static Bounds of(GeoKeyRange range) {
      return new Bounds(encode(range.low()), encode(range.high()));
    }

    boolean contains(byte[] key) {
      return Arrays.compareUnsigned(key, low) >= 0 && Arrays.compareUnsigned(key, high) <= 0;
    }
  }

  Outcome search(NearQuery near, boolean inOrder, int limit) {
    var search = new Search(near, inOrder);
    var buffer = new PriorityQueue<Candidate>();
    var seen = new BitSet();
    var found = new ArrayList<Integer>();
    while (found.size() < limit) {
      double distance = buffer.isEmpty() ? Double.POSITIVE_INFINITY : buffer.peek().distance;
      double least =
          search.candidates.isEmpty()
              ? Double.POSITIVE_INFINITY
              : search.candidates.peek().distance;
      if (search.around.mayBeWithin(Math.min(distance, least))) {
        search.read();
      } else if (distance < least) {
        found.add(buffer.poll().number);
      } else if (least < Double.POSITIVE_INFINITY) {
        int number = search.candidates.poll().number;
        NearQuery.Found place = seen.get(number) ? null : near.nearest(documents.get(number));
        seen.set(number);
        if (place != null) {
          buffer.add(new Candidate(place.distance(), number));
        }
      } else {
        break;
      }
    }
    return new Outcome(found, search.keys, search.seeks);
  }
}
